import type { OptionsOf } from '../../../entries/kit.ts'

/** Limits of reading. Whatever a limit cuts off is reported as a diagnostic. */
export interface LoadLimits {
  /** Levels of folders below a given path; 16 by default. `maxFolders` bounds the work. */
  readonly maxDepth: number
  /** Number of folders below one given path; 2,000 by default. */
  readonly maxFolders: number
}

const DEFAULT_LIMITS: LoadLimits = { maxDepth: 16, maxFolders: 2_000 }

/** Limits of builds, locks and imports, which may read more folders than the start of a session. */
export const BUILD_LIMITS: LoadLimits = { ...DEFAULT_LIMITS, maxFolders: 200_000 }

/** Limits that no option changes. */
export const FIXED_LIMITS = {
  /** Number of listed files of one skill. */
  maxFiles: 512,
  /** Total bytes of the listed files of one skill. */
  maxSkillBytes: 16 * 1024 * 1024,
  /** Bytes of one definition: SKILL.md, TOOLSET.md, schema.json, doc.md. */
  maxTextBytes: 1024 * 1024,
}

export interface LoadOptions {
  readonly limits?: Partial<LoadLimits>
  /** Follow symbolic links that lead out of a given path, or of a skill's folder. */
  readonly followLinksOut?: boolean
  /** Read every given path as a Carnet project, even without `carnet.config.json`. */
  readonly carnet?: boolean
}

const LIMITS: OptionsOf<LoadLimits> = { maxDepth: 'number', maxFolders: 'number' }

export const LOAD_OPTIONS: OptionsOf<LoadOptions> = {
  limits: LIMITS,
  followLinksOut: 'switch',
  carnet: 'switch',
}

/** Receives the number of folders read and found below the same given path, after each folder. */
export type FolderProgress = (done: number, of: number) => void

/** Options with all defaults filled in. */
export interface ResolvedOptions {
  readonly limits: LoadLimits
  readonly followLinksOut: boolean
  readonly carnet?: boolean
}

export function resolveOptions({
  limits,
  followLinksOut = false,
  carnet = false,
}: LoadOptions): ResolvedOptions {
  return { limits: { ...DEFAULT_LIMITS, ...limits }, followLinksOut, carnet }
}

/** Names of folders that are never read, at any depth. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules'])
