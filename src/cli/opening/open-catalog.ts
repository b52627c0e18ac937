import type { HandlerFile, LoadedItem } from '../../project/folders/loaded.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { readingOf, type ReadingOptions } from './build-options.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { reportDiagnostics } from '../shell/report-diagnostics.ts'
import { whileReading } from '../shell/while-reading.ts'

/** Definitions as they stand, without a session. */
export interface OpenCatalog {
  readonly catalog: Catalog
  readonly counter: TokenCounter
  readonly handlers: readonly HandlerFile[]
  readonly items: readonly LoadedItem[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read the definitions at some paths, or in the usual places when there are none: folders, Carnet
 * projects and manifests, or the manifest that `build` wrote. `home` says whether the user's home
 * counts among the usual places. What is wrong is told on stderr, unless `--json` has it.
 */
export async function openCatalog(
  words: readonly string[],
  options: ReadingOptions,
  context: CliContext,
  { home }: { readonly home: boolean },
): Promise<OpenCatalog> {
  const { paths, reading } = await readingOf(words, options, context)
  const [{ openDefinitions }, { BUILD_LIMITS }, { o200kCounter }] = await Promise.all([
    import('../../project/open-definitions.ts'),
    import('../../project/manifest/build-project.ts'),
    import('../../workspace/open/o200k-counter.ts'),
  ])
  const whole = { ...reading, limits: BUILD_LIMITS, home: home ? context.home : null }
  const own = await (context.counter ?? o200kCounter)()
  const project = await whileReading(context, (onFolder) =>
    openDefinitions(paths, { ...whole, counter: own, onFolder }),
  )
  // Nothing is called here, so it is no matter which handlers may run.
  const diagnostics = project.diagnostics.filter(({ code }) => code !== 'handler-untrusted')
  if (options.json !== true) {
    reportDiagnostics({ ...project, diagnostics }, options.verbose === true, context)
  }
  const { catalog, handlers, items, counter = own } = project
  return { catalog, handlers, items, diagnostics, counter }
}
