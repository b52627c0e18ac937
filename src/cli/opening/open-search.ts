import { dirname, join, resolve } from 'node:path'
import { createToolIndex } from '../../search/rank/create-tool-index.ts'
import type { ToolSearch } from '../../search/rank/search-answer.ts'
import type { ToolDocument } from '../../search/index/tool-document.ts'
import { cacheFolder } from '../shell/cache-folder.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { SearchOptions } from '../shell/search-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/** A search, and what is to be done before and after. */
export interface OpenSearch extends ToolSearch {
  /** What is searched. */
  readonly documents: readonly ToolDocument[]
  /** Embed what has no vector yet; throws when that fails. */
  prepare(): Promise<void>
  close(): Promise<void>
}

type Surroundings = Pick<CliContext, 'env' | 'home' | 'cwd'>

/** The search that the options ask for: by words, and with `--embed` by vectors, too. */
export async function openSearch(
  all: readonly ToolDocument[],
  options: SearchOptions,
  context: Surroundings,
): Promise<OpenSearch> {
  const { kind, embed } = options
  const documents = all.filter((one) => kind === undefined || (one.kind ?? 'tool') === kind)
  if (embed !== undefined) return openHybrid(documents, embed, options, context)
  const index = createToolIndex(documents)
  return {
    documents,
    search: index.search,
    prepare: async () => {},
    close: async () => {},
  }
}

async function openHybrid(
  documents: readonly ToolDocument[],
  model: string,
  options: SearchOptions,
  context: Surroundings,
): Promise<OpenSearch> {
  const url = options.embedUrl ?? context.env['LOADOUT_EMBED_URL']
  if (url === undefined) {
    throw wrongUsage(
      `Where the model "${model}" runs was not said.`,
      'Add --embed-url <url>, or set LOADOUT_EMBED_URL. LOADOUT_EMBED_KEY is its key, if it takes one.',
    )
  }
  if (!URL.canParse(url)) {
    throw wrongUsage(`"${url}" is no URL.`, 'Give one such as http://localhost:11434/v1.')
  }
  const [{ embedderFromUrl }, { createVectorIndex }, { createHybridSearch }] = await Promise.all([
    import('../../adapters/embeddings/embedder-from-url.ts'),
    import('../../search/vectors/create-vector-index.ts'),
    import('../../search/vectors/create-hybrid-search.ts'),
  ])
  const key = context.env['LOADOUT_EMBED_KEY']
  const embedder = embedderFromUrl({ url, model, ...(key !== undefined && { key }) })
  const file = cacheFile(options, context)
  const cache = file === null ? null : await openCache(file)
  const vectors = createVectorIndex({ embedder, ...(cache && { cache }) })
  const hybrid = createHybridSearch({ documents, vectors })
  return {
    documents,
    search: hybrid.search,
    prepare: async () => {
      await hybrid.prepare()
    },
    async close() {
      await hybrid.close()
      await cache?.close()
    },
  }
}

async function openCache(file: string) {
  const { makeFolder } = await import('../../project/walk/make-folder.ts')
  const { openEmbeddingFile } = await import('../../adapters/embeddings/open-embedding-file.ts')
  makeFolder(dirname(file), 0o700)
  return openEmbeddingFile(file)
}

/** Where embeddings are kept from one run to the next; null where there is no home. */
function cacheFile({ embedCache }: SearchOptions, surroundings: Surroundings): string | null {
  if (embedCache !== undefined) return resolve(surroundings.cwd, embedCache)
  const folder = cacheFolder(surroundings)
  return folder && join(folder, 'embeddings.sqlite')
}
