import { dirname, join, resolve } from 'node:path'
import {
  createToolIndex,
  type SearchAnswer,
  type SearchResult,
  type ToolDocument,
  type ToolSearch,
} from '../../../entries/search.ts'
import type { FoundRow } from '../../report/answers/found-report.ts'
import type { OpenCatalog } from './open-catalog.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { knownSecrets } from '../shell/known-secrets.ts'
import type { SearchOptions } from '../shell/opening-options.ts'
import { cacheFolder } from '../shell/process-context.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { catalogToolAt } from '../../../workspace/offer/discovery/session-index.ts'

/** A search over definitions, with its preparation and its end. */
export interface OpenSearch extends ToolSearch {
  /** The searched documents: those of the kind that the options select. */
  readonly documents: readonly ToolDocument[]
  /** Embeds documents that have no vector yet; throws when that fails. */
  prepare(): Promise<void>
  close(): Promise<void>
}

type SearchContext = Pick<CliContext, 'env' | 'home' | 'cwd'>

/** Opens the search that the options select: by words, with `--embed` also by vectors. */
export async function openSearch(
  all: readonly ToolDocument[],
  options: SearchOptions,
  context: SearchContext,
): Promise<OpenSearch> {
  const { kind, embed } = options
  // A server embeds them.
  const shown = knownSecrets(context.env)?.texts(all) ?? all
  const documents = shown.filter((one) => kind === undefined || (one.kind ?? 'tool') === kind)
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
  context: SearchContext,
): Promise<OpenSearch> {
  const url = options.embedUrl ?? context.env['LOADOUT_EMBED_URL']
  if (url === undefined) {
    throw wrongUsage(
      `No server is given for the embedding model "${model}".`,
      'Add --embed-url <url>, or set LOADOUT_EMBED_URL. If the server needs a key, set LOADOUT_EMBED_KEY.',
    )
  }
  if (!URL.canParse(url)) {
    throw wrongUsage(`"${url}" is not a URL.`, 'Example: http://localhost:11434/v1.')
  }
  const [{ embedderFromUrl }, { createVectorIndex, createHybridSearch }] = await Promise.all([
    import('../../../connections/wires/embeddings/embedder-from-url.ts'),
    import('../../../entries/search.ts'),
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
  const { openEmbeddingFile } =
    await import('../../../connections/wires/embeddings/open-embedding-file.ts')
  makeFolder(dirname(file), 0o700)
  return openEmbeddingFile(file)
}

/** Returns the file that caches embeddings; null without a home folder. */
function cacheFile({ embedCache }: SearchOptions, context: SearchContext): string | null {
  if (embedCache !== undefined) return resolve(context.cwd, embedCache)
  const folder = cacheFolder(context)
  return folder && join(folder, 'embeddings.sqlite')
}

/** An element of `results` in `search --json`. */
interface FoundReport extends FoundRow {
  readonly description: string
  /** The SKILL.md, or the folder or the one file of the tool; null when it is not on disk. */
  readonly path: string | null
}

/** The output of `search --json`: the search's answer, with the origin of each result. */
export interface SearchReport extends SearchAnswer {
  readonly query: string
  readonly results: readonly FoundReport[]
}

/** Adds to each result its owner, its description and its path. */
export function searchReport(
  query: string,
  answer: SearchAnswer,
  documents: readonly ToolDocument[],
  { catalog, handlers }: Pick<OpenCatalog, 'catalog' | 'handlers'>,
): SearchReport {
  const byKey = new Map(documents.map((one) => [`${one.kind ?? 'tool'} ${one.name}`, one]))
  const resultPath = ({ name, kind }: SearchResult): string | null => {
    if (kind === 'skill') return catalog.skills.get(name)?.path ?? null
    const hash = catalogToolAt(catalog, name)?.hash
    const code = handlers.find(({ tool }) => tool.hash === hash)
    return code?.folder ?? code?.file ?? null
  }
  const results = answer.results.map((result): FoundReport => {
    const { owner, description = '' } = byKey.get(`${result.kind} ${result.name}`) ?? {}
    return { ...result, owner: owner ?? null, description, path: resultPath(result) }
  })
  return { query, ...answer, results }
}
