import { buildManifest } from '../../catalog/manifest/build-manifest.ts'
import type { Manifest } from '../../catalog/manifest/manifest.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { type LoadLimits, DEFAULT_LIMITS } from '../walk/load-options.ts'
import { openProject, type Project, type ProjectOptions } from '../folders/open-project.ts'
import { baseFolder, pathFrom } from './base-folder.ts'
import { countDefinitions } from './count-definitions.ts'

/** A build is not the start of a session: it may look at more folders. */
export const BUILD_LIMITS: LoadLimits = { ...DEFAULT_LIMITS, maxFolders: 200_000 }

export interface BuildOptions extends ProjectOptions {
  readonly counter: TokenCounter
  /** Told what is being done, and how much of it is done where that is known. */
  readonly onProgress?: (stage: BuildStage, done?: number, of?: number) => void
}

export type BuildStage = 'read' | 'count' | 'write'

/** What a build made. */
export interface ProjectBuild {
  readonly manifest: Manifest
  readonly project: Project
  /** What paths in the manifest are relative to, as its real path. */
  readonly folder: string
  /** Findings that keep it from being complete: definitions, or code that gives some, are missing. */
  readonly missing: readonly Diagnostic[]
}

/** Findings about code that was not run, and so gave no definitions. */
const UNRUN = new Set(['config-untrusted'])

/**
 * Read a project and write its catalog down. Nothing depends on the clock, the machine, or the
 * folder of the user: the home is left out unless it is given. Handlers are named, not run.
 *
 * Something is built whatever is found; `missing` says what it lacks.
 */
export async function buildProject(
  paths: readonly string[],
  { counter, onProgress = () => {}, ...options }: BuildOptions,
): Promise<ProjectBuild> {
  onProgress('read')
  const project = await openProject(paths, {
    ...(await buildReading(paths, options)),
    onFolder: (done, of) => onProgress('read', done, of),
  })
  return buildOf(project, paths, { counter, onProgress, ...options })
}

/**
 * How a build reads a project. With paths given, nothing outside them counts, configurations above
 * them included: what is built does not depend on where it is built from.
 */
export async function buildReading(
  paths: readonly string[],
  options: ProjectOptions,
): Promise<ProjectOptions> {
  const project = options.project ?? process.cwd()
  return {
    home: null,
    limits: BUILD_LIMITS,
    ...options,
    project: paths.length === 0 ? project : await baseFolder(paths, project),
  }
}

/** The build of a project that was read already. */
export async function buildOf(
  project: Project,
  paths: readonly string[],
  { counter, onProgress = () => {}, ...options }: BuildOptions,
): Promise<ProjectBuild> {
  const { catalog, diagnostics, handlers } = project
  const folder = await baseFolder(paths, options.project ?? process.cwd())
  const counts = await countDefinitions(catalog, counter, (done, of) =>
    onProgress('count', done, of),
  )
  onProgress('write')
  const files = new Map(
    handlers.flatMap(({ tool, path }) => (path === null ? [] : [[tool.hash, path]])),
  )
  const manifest = buildManifest(catalog, {
    tokenizer: counter.name,
    pathOf: (path) => pathFrom(folder, path),
    handlerOf: (hash) => files.get(hash),
    tokensOf: ({ hash, name }) => {
      const counted = counts.get(hash)
      if (counted !== undefined) return counted
      throw new WorkspaceError('BUILD_INCOMPLETE', `The tokens of "${name}" were not counted.`)
    },
  })
  return { manifest, project, folder, missing: missingOf(diagnostics) }
}

/** Findings for which a catalog is not all that it was meant to be. */
export function missingOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ code, severity }) =>
      UNRUN.has(code) || (severity === 'error' && !code.startsWith('handler-')),
  )
}
