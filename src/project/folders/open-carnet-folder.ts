import { join, relative, sep } from 'node:path'
import type { Dirent } from 'node:fs'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { matchesGlob } from '../../adapters/carnet/format/matches-glob.ts'
import {
  type CarnetConfig,
  NO_CARNET_CONFIG,
  readCarnetConfig,
} from '../../adapters/carnet/format/read-carnet-config.ts'
import {
  CARNET_CONFIG,
  CARNET_FOLDERS,
  CARNET_MANIFEST,
} from '../../adapters/carnet/format/carnet-names.ts'
import type { ResolvedOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-text.ts'

interface OpenedCarnetFolder {
  /** Null when the folder is no Carnet project. */
  readonly carnet: CarnetConfig | null
  /** Its manifest, when it holds one and nothing it was built from. */
  readonly manifest: string | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Look whether a folder is a Carnet project: it has its configuration, or its manifest alone. */
export async function openCarnetFolder(
  folder: string,
  entries: readonly Dirent[],
  options: ResolvedOptions,
): Promise<OpenedCarnetFolder> {
  const diagnostics: Diagnostic[] = []
  const names = new Set(entries.map(({ name }) => name))
  const config = names.has(CARNET_CONFIG)
    ? await readConfig(folder, options, diagnostics)
    : options.carnet
      ? NO_CARNET_CONFIG
      : null
  const sources = [...CARNET_FOLDERS].some((name) => names.has(name))
  const manifest = names.has(CARNET_MANIFEST) && !sources ? join(folder, CARNET_MANIFEST) : null
  return {
    carnet: manifest === null ? config : (config ?? NO_CARNET_CONFIG),
    manifest,
    diagnostics,
  }
}

async function readConfig(
  folder: string,
  options: ResolvedOptions,
  diagnostics: Diagnostic[],
): Promise<CarnetConfig> {
  const file = join(folder, CARNET_CONFIG)
  const text = await readText(folder, file, options, diagnostics)
  if (text === null) return NO_CARNET_CONFIG
  const read = readCarnetConfig(text, file)
  diagnostics.push(...read.diagnostics)
  return read.config
}

/**
 * Whether `include` lets a definition be read, and `exclude` leaves a path out. Files of a skill come
 * with it unless they are excluded.
 */
export function carnetFilter(folder: string, { include, exclude }: CarnetConfig) {
  const covered = (globs: readonly string[], path: string) => {
    const inner = relative(folder, path).split(sep).join('/')
    return globs.some((glob) => matchesGlob(glob, inner))
  }
  return {
    includes: (path: string) => include.length === 0 || covered(include, path),
    excludes: (path: string) => covered(exclude, path),
  }
}
