import { execFile } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  type Catalog,
  type ContentHash,
  type Diagnostic,
  type TokenCounter,
  type Tool,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkRecord, type OptionsOf, sanitiseLine } from '../../../entries/kit.ts'
import {
  buildManifest,
  countTexts,
  type Manifest,
  type TokenCounts,
} from '../../../entries/manifest.ts'
import { definitionTokens, itemTokens, skillTextTokens } from '../../../entries/plan.ts'
import {
  loadProject,
  type Project,
  PROJECT_OPTIONS,
  type ProjectOptions,
} from '../folders/open-project.ts'
import { packageVersion } from './package-version.ts'
import { isInside } from '../walk/is-inside.ts'
import { BUILD_LIMITS } from '../walk/load-options.ts'
import { givenPaths } from '../walk/given-paths.ts'

export interface BuildOptions extends ProjectOptions {
  readonly counter: TokenCounter
  /** Called with the current stage, and with its progress where that is known. */
  readonly onProgress?: (stage: BuildStage, done?: number, of?: number) => void
}

export type BuildStage = 'read' | 'count' | 'write'

const OPTIONS: OptionsOf<BuildOptions> = { ...PROJECT_OPTIONS, onProgress: 'function' }

/** The result of a build. */
export interface ProjectBuild {
  readonly manifest: Manifest
  readonly project: Project
  /** Real path of the folder that paths in the manifest are relative to. */
  readonly folder: string
  /** Findings about missing definitions, or about code that defines some and was not run. */
  readonly missing: readonly Diagnostic[]
}

/** Codes of findings about code that was not run, and so defined nothing. */
const CODE_NOT_RUN = new Set(['config-untrusted', 'tool-untrusted'])

/**
 * Reads a project and builds its manifest. Nothing depends on the clock, the machine, or the user's
 * folder: the home is left out unless it is given. Handlers are named, not run; code that defines
 * tools or a configuration is run where it is trusted.
 *
 * A manifest is always built; `missing` lists what it lacks.
 */
export async function buildProject(
  paths: string | readonly string[],
  given: BuildOptions,
): Promise<ProjectBuild> {
  checkRecord(given, OPTIONS, 'counter')
  const { counter, onProgress = () => {}, ...options } = given
  const folders = givenPaths(paths)
  onProgress('read')
  const reading = await buildReadOptions(folders, options)
  const project = await loadProject(folders, reading, (done, of) => onProgress('read', done, of))
  return buildFromProject(project, folders, { counter, onProgress, ...options })
}

/**
 * Returns the options with which a build reads a project. With paths given, nothing outside them is
 * read, not even configurations in parent folders, so that the result does not depend on the
 * current folder.
 */
export async function buildReadOptions(
  paths: readonly string[],
  options: ProjectOptions,
): Promise<ProjectOptions> {
  const project = options.project ?? process.cwd()
  return {
    home: null,
    parents: false,
    ...options,
    limits: { ...BUILD_LIMITS, ...options.limits },
    project: paths.length === 0 ? project : await baseFolder(paths, project),
  }
}

/** Builds the manifest of a project that was already read. */
export async function buildFromProject(
  project: Project,
  paths: readonly string[],
  { counter, onProgress = () => {}, ...options }: BuildOptions,
): Promise<ProjectBuild> {
  const { catalog, diagnostics, handlers, serverFiles } = project
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
    pathOf: (path) => pathFromBase(folder, path),
    handlerOf: (hash) => files.get(hash),
    serverFileOf: (name) =>
      serverFiles.find(({ servers }) => servers.some(({ server }) => server.name === name))?.file,
    tokensOf: ({ hash, name }) => {
      const counted = counts.get(hash)
      if (counted !== undefined) return counted
      throw new WorkspaceError('BUILD_INCOMPLETE', `The tokens of "${name}" were not counted.`)
    },
  })
  return { manifest, project, folder, missing: missingDefinitions(diagnostics) }
}

/** Returns the findings that make a catalog incomplete. */
export function missingDefinitions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ code, severity }) =>
      CODE_NOT_RUN.has(code) || (severity === 'error' && !code.startsWith('handler-')),
  )
}

/**
 * Returns the real path of the folder that paths in a manifest or lock are relative to: the given
 * folder, the nearest common parent of several, or the project's folder without any. It does not
 * depend on the current folder.
 */
export async function baseFolder(paths: readonly string[], project: string): Promise<string> {
  const given = paths.length === 0 ? [project] : paths
  const folders = await Promise.all(given.map((path) => realFolder(resolve(project, path))))
  return folders.reduce((base, folder) => {
    let common = base
    while (!isInside(common, folder)) common = dirname(common)
    return common
  })
}

/** Returns a path relative to a base folder as a manifest stores it, with `/`. */
export function pathFromBase(base: string, path: string): string {
  return relative(base, path).split(sep).join('/')
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const isFile = (await stat(real).catch(() => null))?.isDirectory() === false
  return isFile ? dirname(real) : real
}

/** Milliseconds of counting after which other tasks may run, such as showing progress. */
const YIELD_AFTER_MS = 50

/**
 * Counts the tokens of each skill and tool once, exactly as a session counts them. The folder of a
 * skill is left out: it differs between machines.
 */
async function countDefinitions(
  catalog: Catalog,
  counter: TokenCounter,
  onProgress: (done: number, of: number) => void,
): Promise<ReadonlyMap<ContentHash, TokenCounts>> {
  const counts = new Map<ContentHash, TokenCounts>()
  const definitions = [
    ...Array.from(catalog.skills.values(), (skill) => ({
      hash: skill.hash,
      price(noting: TokenCounter) {
        const { baseDirectory: _, ...rest } = skill
        return skillTextTokens(rest, noting)
      },
    })),
    ...Array.from(catalog.toolsByHash.values(), (tool) => ({
      hash: tool.hash,
      price: (noting: TokenCounter) => toolTokens(tool, noting),
    })),
  ]
  let lastYield = performance.now()
  for (const [index, { hash, price }] of definitions.entries()) {
    counts.set(hash, countTexts(counter, price))
    if (performance.now() - lastYield < YIELD_AFTER_MS) continue
    onProgress(index + 1, definitions.length)
    await setImmediate()
    lastYield = performance.now()
  }
  onProgress(definitions.length, definitions.length)
  return counts
}

/** Counts a tool's definition in the request, and its line in the prompt. */
function toolTokens(tool: Tool, counter: TokenCounter): number {
  const item = {
    name: sanitiseLine(tool.name),
    summary: sanitiseLine(tool.summary),
    marks: tool.requiresConfirmation ? ['asks first'] : [],
    facts: [],
  }
  return definitionTokens(tool, counter) + itemTokens(item, counter)
}

/** Milliseconds to wait for git. */
const GIT_TIMEOUT_MS = 5_000

/**
 * Returns the origin of a manifest of this folder that is built now, by the commit of the folder; null outside version
 * control. It is not part of the manifest, because it differs from build to build.
 */
export async function buildProvenance(
  { version, digest }: Pick<Manifest, 'version' | 'digest'>,
  folder: string,
) {
  const commit = await git(folder, ['rev-parse', 'HEAD'])
  const status = commit === null ? null : await git(folder, ['status', '--porcelain', '--', '.'])
  return {
    version,
    digest,
    builtAt: new Date().toISOString(),
    commit,
    // True when the folder differs from the commit.
    changed: status === null ? null : status !== '',
    loadout: packageVersion(),
    node: process.version,
  }
}

/** Returns the output of git; null when git is missing, or the folder is not in a repository. */
async function git(folder: string, words: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...words], {
      timeout: GIT_TIMEOUT_MS,
      // A repository of somebody else may name programs to run in its settings.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_COUNT: '1', ...NO_FSMONITOR },
    })
    return stdout.trim()
  } catch {
    return null
  }
}

const NO_FSMONITOR = { GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'false' }
