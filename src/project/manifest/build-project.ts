import { execFile } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { buildManifest } from '../../catalog/manifest/build-manifest.ts'
import { countTexts } from '../../catalog/manifest/manifest-counter.ts'
import type { Manifest, TokenCounts } from '../../catalog/manifest/manifest.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { openProject, type Project, type ProjectOptions } from '../folders/open-project.ts'
import { packageVersion } from './package-version.ts'
import { isInside } from '../walk/is-inside.ts'
import { BUILD_LIMITS } from '../walk/load-options.ts'
import {
  definitionTokens,
  itemTokens,
  skillTokens,
} from '../../render/prompt/ledger/section-tokens.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { Tool } from '../../tools/definition/tool.ts'

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
const CODE_NOT_RUN = new Set(['config-untrusted'])

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
    ...(await buildReadOptions(paths, options)),
    onFolder: (done, of) => onProgress('read', done, of),
  })
  return buildFromProject(project, paths, { counter, onProgress, ...options })
}

/**
 * How a build reads a project. With paths given, nothing outside them counts, configurations above
 * them included: what is built does not depend on where it is built from.
 */
export async function buildReadOptions(
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
export async function buildFromProject(
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
    pathOf: (path) => pathFromBase(folder, path),
    handlerOf: (hash) => files.get(hash),
    tokensOf: ({ hash, name }) => {
      const counted = counts.get(hash)
      if (counted !== undefined) return counted
      throw new WorkspaceError('BUILD_INCOMPLETE', `The tokens of "${name}" were not counted.`)
    },
  })
  return { manifest, project, folder, missing: missingDefinitions(diagnostics) }
}

/** Findings for which a catalog is not all that it was meant to be. */
export function missingDefinitions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ code, severity }) =>
      CODE_NOT_RUN.has(code) || (severity === 'error' && !code.startsWith('handler-')),
  )
}

/**
 * The folder that paths in a manifest or lock are relative to, as its real path: the given one, the
 * nearest that holds all when several are given, the project's when none is. It does not depend on
 * where a command was started.
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

/** A path below a base folder as a manifest tells it, with `/`. */
export function pathFromBase(base: string, path: string): string {
  return relative(base, path).split(sep).join('/')
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const isFolder = await stat(real).then(
    (stats) => stats.isDirectory(),
    () => true,
  )
  return isFolder ? real : dirname(real)
}

/** Milliseconds of counting after which others have a turn, such as a line of progress. */
const YIELD_AFTER_MS = 50

/**
 * Count what each skill and tool puts before a model, once each, exactly as a session counts it. The
 * folder a skill was read from is left out: it is another one on every machine.
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
      price: (noting: TokenCounter) => skillTokens(withoutFolder(skill), noting),
    })),
    ...Array.from(catalog.toolsByHash.values(), (tool) => ({
      hash: tool.hash,
      price: (noting: TokenCounter) => toolTokens(tool, noting),
    })),
  ]
  let breath = performance.now()
  for (const [index, { hash, price }] of definitions.entries()) {
    counts.set(hash, countTexts(counter, price))
    if (performance.now() - breath < YIELD_AFTER_MS) continue
    onProgress(index + 1, definitions.length)
    await setImmediate()
    breath = performance.now()
  }
  onProgress(definitions.length, definitions.length)
  return counts
}

function withoutFolder(skill: Skill): Skill {
  const { baseDirectory: _, ...rest } = skill
  return rest
}

/** Its definition in the request, and its line in the prompt. */
function toolTokens(tool: Tool, counter: TokenCounter): number {
  const item = {
    name: sanitiseLine(tool.name),
    summary: sanitiseLine(tool.summary),
    marks: tool.requiresConfirmation ? ['asks first'] : [],
    facts: [],
  }
  return definitionTokens(tool, counter) + itemTokens(item, counter)
}

/** Where a manifest comes from: what must not be in it, since it differs from build to build. */
export interface Provenance {
  readonly version: ContentHash
  readonly digest: ContentHash
  /** ISO 8601, UTC. */
  readonly builtAt: string
  /** The commit of the folder that was built; null outside version control. */
  readonly commit: string | null
  /** Something in that folder differs from the commit; null when there is none. */
  readonly changed: boolean | null
  readonly loadout: string
  readonly node: string
}

/** Milliseconds that version control is waited for: provenance is worth no more. */
const GIT_TIMEOUT_MS = 5_000

/** Say where a manifest of this folder comes from, built now. */
export async function buildProvenance(
  { version, digest }: Pick<Manifest, 'version' | 'digest'>,
  folder: string,
): Promise<Provenance> {
  const commit = await git(folder, ['rev-parse', 'HEAD'])
  const status = commit === null ? null : await git(folder, ['status', '--porcelain', '--', '.'])
  return {
    version,
    digest,
    builtAt: new Date().toISOString(),
    commit,
    changed: status === null ? null : status !== '',
    loadout: packageVersion(),
    node: process.version,
  }
}

/** What git answers; null when it is not there, or this is no repository of it. */
async function git(folder: string, words: readonly string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...words], {
      timeout: GIT_TIMEOUT_MS,
      // A repository that somebody else made may name programs to run in its settings.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_COUNT: '1', ...NO_FSMONITOR },
    })
    return stdout.trim()
  } catch {
    return null
  }
}

const NO_FSMONITOR = { GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'false' }
