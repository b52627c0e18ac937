import { resolve } from 'node:path'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Lock } from '../../catalog/lock.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { ReadingOptions } from '../shell/common-options.ts'
import { whileReading } from '../shell/progress-line.ts'
import { reportDiagnostics } from '../shell/report-diagnostics.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { HandlerFile, LoadedItem } from '../../project/folders/loaded.ts'
import type { ProjectOptions } from '../../project/folders/open-project.ts'
import type { ProjectBuild } from '../../project/manifest/build-project.ts'

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
  const { paths, reading } = await resolveReading(words, options, context)
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

/** A project with the lock of its files as they are now. */
interface LockedProject extends Pick<ProjectBuild, 'project' | 'missing'> {
  readonly lock: Lock
}

/** Read the project at some paths as a build does, and digest its files. */
export async function readLockedProject(
  paths: readonly string[],
  reading: ProjectOptions,
  context: Pick<CliContext, 'stderr'>,
): Promise<LockedProject> {
  const [
    { buildReadOptions, missingDefinitions },
    { openProject },
    { lockProject },
    { baseFolder },
  ] = await Promise.all([
    import('../../project/manifest/build-project.ts'),
    import('../../project/folders/open-project.ts'),
    import('../../project/lock/lock-project.ts'),
    import('../../project/manifest/build-project.ts'),
  ])
  const whole = await buildReadOptions(paths, reading)
  const project = await whileReading(context, (onFolder) =>
    openProject(paths, { ...whole, onFolder }),
  )
  const folder = await baseFolder(paths, reading.project ?? process.cwd())
  return {
    project,
    missing: missingDefinitions(project.diagnostics),
    lock: await lockProject(project, folder),
  }
}

/** The paths that were meant, and how the project at them is read: never from the user's home. */
export async function resolveReading(
  words: readonly string[],
  options: ReadingOptions,
  { cwd, trustFile }: Pick<CliContext, 'cwd' | 'trustFile'>,
): Promise<{ readonly paths: readonly string[]; readonly reading: ProjectOptions }> {
  const { openTrustStore } = await import('../../project/trust/trust-store.ts')
  return {
    paths: words.map((word) => resolve(cwd, word)),
    reading: {
      project: cwd,
      home: null,
      trustStore: openTrustStore(trustFile === undefined ? {} : { file: trustFile }),
      ...(options.trust === true && { trusted: true }),
    },
  }
}
