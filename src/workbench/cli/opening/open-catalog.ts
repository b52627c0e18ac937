import { join, resolve } from 'node:path'
import { type TokenCounter, WorkspaceError } from '../../../entries/index.ts'
import type { Lock } from '../../../entries/manifest.ts'
import { LOCK_FILE } from '../../project/config/default-paths.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { ReadingOptions } from '../shell/opening-options.ts'
import { whileReading } from '../shell/progress-line.ts'
import { reportDiagnostics } from '../shell/report-diagnostics.ts'
import type { Project, ProjectOptions } from '../../project/folders/open-project.ts'
import type { TrustStore } from '../../project/trust/trust-store.ts'
import type { ProjectBuild } from '../../project/manifest/build-project.ts'

/** Definitions that were read without opening a session. */
export interface OpenCatalog extends Pick<
  Project,
  'catalog' | 'handlers' | 'items' | 'diagnostics' | 'plugins' | 'serverFiles' | 'roots'
> {
  readonly counter: TokenCounter
}

/**
 * Reads the definitions at the given paths, or in the default folders: skill folders, Carnet projects
 * and manifests, including the one that `build` writes. With `home`, the default folders include those
 * in the user's home. Without `--json`, diagnostics are reported on stderr.
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
    import('../../project/walk/load-options.ts'),
    import('../../../entries/plan.ts'),
  ])
  const own = await (context.counter ?? o200kCounter)()
  const project = await whileReading(context, (onFolder) =>
    openDefinitions(
      paths,
      {
        ...reading,
        limits: { ...BUILD_LIMITS, ...reading.limits },
        ...(home && { home: context.home, parents: true }),
        counter: own,
      },
      onFolder,
    ),
  )
  // Tools are not called here, so handlers and servers need no trust.
  const diagnostics = project.diagnostics.filter(
    ({ code }) => code !== 'handler-untrusted' && code !== 'server-untrusted',
  )
  if (options.json !== true) {
    reportDiagnostics({ ...project, diagnostics }, options.verbose === true, context)
  }
  return { ...project, diagnostics, counter: project.counter ?? own }
}

/** A project with a lock of its current files. */
interface LockedProject extends Pick<ProjectBuild, 'project' | 'missing'> {
  readonly lock: Lock
}

/**
 * Reads the project at the given paths as a build does, and computes the digests of its files. With `servers`, it
 * connects to the servers, and takes their tools from them instead of from the lock.
 */
export async function readLockedProject(
  paths: readonly string[],
  reading: ProjectOptions,
  context: Pick<CliContext, 'stderr'>,
  servers = false,
): Promise<LockedProject> {
  const [{ baseFolder, buildReadOptions, missingDefinitions }, { loadProject }, { lockProject }] =
    await Promise.all([
      import('../../project/manifest/build-project.ts'),
      import('../../project/folders/open-project.ts'),
      import('../../project/lock/lock-project.ts'),
    ])
  const buildOptions = await buildReadOptions(paths, reading)
  const project = await whileReading(context, (onFolder) =>
    loadProject(paths, servers ? { ...buildOptions, lock: null } : buildOptions, onFolder),
  )
  const folder = await baseFolder(paths, reading.project ?? process.cwd())
  return {
    project,
    missing: missingDefinitions(project.diagnostics),
    lock: await lockProject(project, folder),
  }
}

/** Throws `LOCK_INCOMPLETE` when definitions could not be read: a lock without them would be wrong. */
export function refuseIncomplete(missing: LockedProject['missing']): void {
  const [first] = missing
  if (first === undefined) return
  throw new WorkspaceError('LOCK_INCOMPLETE', `Nothing was locked: ${first.message}`, {
    facts: { missing },
    hint: first.hint,
  })
}

/** Options of a command to read a project. */
export interface CommandReading extends ProjectOptions {
  readonly trustStore: TrustStore
}

/** Resolves the given paths, with options to read them that leave out the user's home and the project's parents. */
export async function resolveReading(
  words: readonly string[],
  options: ReadingOptions,
  { cwd, trustFile }: Pick<CliContext, 'cwd' | 'trustFile'>,
): Promise<{ readonly paths: readonly string[]; readonly reading: CommandReading }> {
  const { openTrustStore } = await import('../../project/trust/trust-store.ts')
  const { maxDepth, maxFolders, followLinksOut } = options
  return {
    paths: words.map((word) => resolve(cwd, word)),
    reading: {
      limits: {
        ...(maxDepth !== undefined && { maxDepth }),
        ...(maxFolders !== undefined && { maxFolders }),
      },
      project: cwd,
      lock: join(cwd, LOCK_FILE),
      home: null,
      parents: false,
      ...(followLinksOut === true && { followLinksOut }),
      trustStore: openTrustStore(trustFile === undefined ? {} : { file: trustFile }),
      ...(options.trust === true && { trusted: true }),
    },
  }
}
