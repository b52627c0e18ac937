import type { Dirent } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Diagnostic } from '../../../entries/index.ts'
import { Findings } from '../../../entries/kit.ts'
import { parseJson } from '../../../entries/definitions.ts'
import {
  CARNET_CONFIG,
  CARNET_SOURCE_FOLDERS,
  CARNET_MANIFEST,
} from '../../../connections/carnet/format/carnet-files.ts'
import { definitionsOfManifest } from '../../../connections/carnet/format/definitions-of-manifest.ts'
import { matchesGlob } from '../../../connections/carnet/format/matches-glob.ts'
import {
  type CarnetConfig,
  NO_CARNET_CONFIG,
  readCarnetConfig,
} from '../../../connections/carnet/format/read-carnet-config.ts'
import { readCarnetManifest } from '../../../connections/carnet/format/read-carnet-manifest.ts'
import { type Found, type LoadedItem, NOTHING_FOUND } from './loaded.ts'
import { FIXED_LIMITS, type ResolvedOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-inside.ts'

interface OpenedCarnetFolder {
  /** Null when the folder is not a Carnet project. */
  readonly carnet: CarnetConfig | null
  /** Its manifest, if it has one and no sources of it. */
  readonly manifest: string | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Opens a folder as a Carnet project if it is one: it has a configuration, or only a manifest. */
export async function openCarnetFolder(
  folder: string,
  entries: readonly Dirent[],
  options: ResolvedOptions,
): Promise<OpenedCarnetFolder> {
  const diagnostics: Diagnostic[] = []
  const names = new Set(entries.map(({ name }) => name))
  const config = names.has(CARNET_CONFIG)
    ? await readCarnetConfigFile(folder, options, diagnostics)
    : options.carnet
      ? NO_CARNET_CONFIG
      : null
  const sources = [...CARNET_SOURCE_FOLDERS].some((name) => names.has(name))
  const manifest = names.has(CARNET_MANIFEST) && !sources ? join(folder, CARNET_MANIFEST) : null
  return {
    carnet: manifest === null ? config : (config ?? NO_CARNET_CONFIG),
    manifest,
    diagnostics,
  }
}

async function readCarnetConfigFile(
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
 * Creates the filter of a Carnet project: `include` selects definitions, `exclude` leaves paths
 * out. Files of a skill come with it unless they are excluded.
 */
export function carnetFilter(folder: string, { include, exclude }: CarnetConfig) {
  const matches = (globs: readonly string[], path: string) => {
    const inner = relative(folder, path).split(sep).join('/')
    return globs.some((glob) => matchesGlob(glob, inner))
  }
  return {
    includes: (path: string) => include.length === 0 || matches(include, path),
    excludes: (path: string) => matches(exclude, path),
  }
}

/** Reads a `carnet.manifest.json`, which may be as large as a complete skill. */
export async function loadCarnetManifest(
  file: string,
  root: string,
  options: ResolvedOptions,
): Promise<Found> {
  const diagnostics: Diagnostic[] = []
  const text = await readText(root, file, options, diagnostics, 'error', FIXED_LIMITS.maxSkillBytes)
  const findings = new Findings(file)
  const parsed = text === null ? null : parseJson(text, findings, 'values')
  diagnostics.push(...findings.list)
  if (parsed === null) return { ...NOTHING_FOUND, diagnostics, files: 1 }
  const read = readCarnetManifest(parsed.value, file)
  diagnostics.push(...read.diagnostics)
  if (read.manifest === null) return { ...NOTHING_FOUND, diagnostics, files: 1 }
  const { diagnostics: found, ...definitions } = definitionsOfManifest(read.manifest, file)
  const { skills, toolsets, tools, agents } = definitions
  const items = (kind: LoadedItem['kind'], named: readonly { readonly name: string }[]) =>
    named.map(({ name }) => ({ kind, path: file, name }))
  return {
    ...NOTHING_FOUND,
    ...definitions,
    items: [
      ...items('skill', skills),
      ...items('toolset', toolsets),
      ...items('tool', tools),
      ...items('agent', agents),
    ],
    diagnostics: [...diagnostics, ...found],
    files: 1,
  }
}
