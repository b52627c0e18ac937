import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic, Tool } from '../../../entries/index.ts'
import {
  checkedText,
  checkRecord,
  Findings,
  type OptionsOf,
  quotedPath,
  thrownMessage,
  tryOrUndefined,
} from '../../../entries/kit.ts'
import { parseJson } from '../../../entries/definitions.ts'
import { CARNET_CONFIG } from '../../../connections/carnet/format/carnet-files.ts'
import type { CarnetConfig } from '../../../connections/carnet/format/read-carnet-config.ts'
import { insideOnly, trustIf } from './read-paths.ts'
import { NO_CONFIG, type ProjectConfig } from './define-config.ts'
import { readConfig } from './read-config.ts'
import { rulePlaces } from './rule-places.ts'
import { importModule } from '../trust/import-module.ts'
import { guardTools } from '../trust/is-trusted.ts'
import { isInside } from '../walk/is-inside.ts'
import { resolveOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-inside.ts'

/** File names of a configuration; the first that exists is used. */
export const CONFIG_NAMES: readonly string[] = [
  'loadout.config.ts',
  'loadout.config.mjs',
  'loadout.config.js',
  'loadout.config.json',
]

export interface LoadConfigOptions {
  /** True when code of the folder may run. */
  readonly trusted: boolean
}

const OPTIONS: OptionsOf<LoadConfigOptions> = { trusted: 'switch' }

export interface LoadedConfig {
  readonly config: ProjectConfig
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads the configuration of a folder, if it has one. A module is imported only when the folder is
 * trusted; JSON is always read. Faults are diagnostics.
 */
export async function loadConfig(
  folder: string,
  options: LoadConfigOptions,
): Promise<LoadedConfig> {
  checkRecord(options, OPTIONS, 'trusted')
  const { trusted } = options
  const name = await configName(checkedText(folder, 'folder'))
  if (name === null) return { config: NO_CONFIG, diagnostics: [] }
  const root = await realpath(folder)
  const file = join(root, name)
  if (name.endsWith('.json')) return loadJson(root, file, trusted)
  const findings = new Findings(file)
  if (!trusted) {
    findings.add(
      'warning',
      'config-untrusted',
      'The configuration was not run: its folder is not trusted.',
      `Read it, then trust the folder: loadout trust ${quotedPath(root)} (or --trust for one run).`,
    )
    return { config: NO_CONFIG, diagnostics: findings.list }
  }
  const outcome = await importModule(root, file)
  const exported = outcome.ok ? outcome.exports['default'] : undefined
  if (!outcome.ok) {
    findings.add(
      'error',
      'config-failed',
      `The configuration could not be imported: ${outcome.message}.`,
      'Correct it. Everything else was read without it.',
    )
  } else if (typeof exported !== 'object' || exported === null) {
    findings.add(
      'error',
      'config-failed',
      'The configuration has no default export that is an object.',
      'Write `export default defineConfig({ … })`.',
    )
  } else {
    const given = await withCatalog({ ...exported }, findings)
    const config = guarded(readConfig(given, file, 'module', findings), root)
    const text = await readText(root, file, resolveOptions({}), [])
    return { config: withPlaces(config, file, text ?? ''), diagnostics: findings.list }
  }
  return { config: NO_CONFIG, diagnostics: findings.list }
}

/** Has the tools that a configuration defines in code guarded with its folder. */
function guarded(config: ProjectConfig, root: string): ProjectConfig {
  const { catalog, tools, toolsets, components, skills } = config
  const holders = [...toolsets, ...components, ...skills.filter((one) => typeof one !== 'string')]
  const ofSkills = [...(catalog?.skillTools.values() ?? [])].flat().map(({ tool }) => tool)
  const all = [...tools, ...holders.flatMap((one): readonly (Tool | string)[] => one.tools ?? [])]
  const own = all.filter((one) => typeof one !== 'string')
  guardTools([...own, ...ofSkills, ...(catalog?.toolsByHash.values() ?? [])], root)
  return config
}

/** Adds the places of the rules in the text of the file. */
function withPlaces(config: ProjectConfig, file: string, text: string): ProjectConfig {
  const { permissions } = config
  // Rules that are wrong may be anything.
  const places = tryOrUndefined(() => rulePlaces(text, file, permissions))
  return places === undefined || places.size === 0
    ? config
    : { ...config, permissions: { ...permissions, places } }
}

/** Waits for a catalog that is still being made. */
async function withCatalog(
  given: Readonly<Record<string, unknown>>,
  findings: Findings,
): Promise<Readonly<Record<string, unknown>>> {
  const { catalog, ...others } = given
  if (catalog === undefined) return given
  try {
    return { ...others, catalog: await catalog }
  } catch (error) {
    findings.add(
      'error',
      'config-failed',
      `The catalog of the configuration could not be made: ${thrownMessage(error)}.`,
      'Correct it. Everything else was read without it.',
    )
    return others
  }
}

async function loadJson(root: string, file: string, trusted: boolean): Promise<LoadedConfig> {
  const diagnostics: Diagnostic[] = []
  const text = await readText(root, file, resolveOptions({}), diagnostics)
  if (text === null) return { config: NO_CONFIG, diagnostics }
  const findings = new Findings(file)
  const parsed = parseJson(text, findings)
  const origin = trusted ? 'trusted-json' : 'untrusted-json'
  const given =
    parsed === null
      ? NO_CONFIG
      : withPlaces(readConfig(parsed.value, file, origin, findings), file, text)
  const config = trusted
    ? given
    : {
        ...given,
        skills: await insideOnly(root, given.skills, findings),
        servers: await insideOnly(root, given.servers, findings),
      }
  return { config, diagnostics: [...diagnostics, ...findings.list] }
}

/** Returns the name of the configuration in a folder; null when it has none. */
export async function configName(folder: string): Promise<string | null> {
  const names = new Set(await readdir(folder).catch(() => []))
  return CONFIG_NAMES.find((name) => names.has(name)) ?? null
}

/** Returns the first folder of `configFolders` that has a configuration, or null. */
export async function findConfigFolder(
  given: readonly string[],
  project: string,
): Promise<string | null> {
  for (const folder of await configFolders(given, project)) {
    if ((await configName(folder)) !== null) return folder
  }
  return null
}

/**
 * Returns the folders that may have a configuration, in order: each given path, then its parents up
 * to the project's folder. A path outside the project has no parents here, and a path that does not
 * exist is ignored.
 */
export async function configFolders(
  given: readonly string[],
  project: string,
): Promise<readonly string[]> {
  const top = await realpath(project).catch(() => project)
  const folders = new Set<string>()
  for (const path of given) {
    const start = await realpath(path).catch(() => null)
    if (start === null) continue
    for (let folder = start; ; folder = dirname(folder)) {
      folders.add(folder)
      if (folder === top || !isInside(top, folder)) break
    }
  }
  return [...folders]
}

/** The folder of a Carnet project, and its configuration. */
export interface CarnetFolder {
  readonly folder: string
  readonly config: CarnetConfig
}

/**
 * Merges the settings of Carnet projects into a project's configuration, whose own variables take
 * precedence. Prompts may contain environment variables by `envPrefix` only when `trusted` returns
 * true for the folder, as with any other configuration.
 */
export async function mergeCarnetSettings(
  config: ProjectConfig,
  folders: readonly CarnetFolder[],
  trusted: (folder: string) => Promise<boolean>,
): Promise<LoadedConfig> {
  const prefixes: string[] = []
  const diagnostics: Diagnostic[] = []
  for (const { folder, config: carnet } of folders) {
    if (carnet.envPrefix.length === 0) continue
    if (await trusted(folder)) prefixes.push(...carnet.envPrefix.filter((one) => one !== ''))
    else {
      diagnostics.push({
        code: 'environment-untrusted',
        severity: 'warning',
        message: 'The configuration asks for environment variables and its folder is not trusted.',
        hint: trustIf('prompts may contain them', folder),
        file: join(folder, CARNET_CONFIG),
      })
    }
  }
  const { prefix = [], ...environment } = config.environment
  const all = [...(typeof prefix === 'string' ? [prefix] : prefix), ...prefixes]
  const variables = folders.map(({ config: carnet }) => carnet.variables)
  return {
    config: {
      ...config,
      variables: Object.fromEntries(
        [...variables, config.variables].flatMap((scope) => Object.entries(scope)),
      ),
      environment: { ...environment, ...(all.length > 0 && { prefix: all }) },
    },
    diagnostics,
  }
}
