import { join, resolve } from 'node:path'
import {
  type Catalog,
  createCatalog,
  type Diagnostic,
  type TokenCounter,
} from '../../../entries/index.ts'
import { checkOptions, type OptionsOf, quotedPath } from '../../../entries/kit.ts'
import { LOCK_FILE } from '../config/default-paths.ts'
import { NO_CONFIG, type ProjectConfig } from '../config/define-config.ts'
import {
  type CarnetFolder,
  configFolders,
  findConfigFolder,
  type LoadedConfig,
  loadConfig,
  mergeCarnetSettings,
} from '../config/load-config.ts'
import { type SkillSwitches, withSwitches } from '../config/skill-switches.ts'
import { bindHandlers, toolsetsWithoutCode } from './bind-handlers.ts'
import { type Plugin, readPlugins } from './read-plugins.ts'
import { existingFolders, findDefaultFolders, loadRoots } from './load-skills.ts'
import type { HandlerFile, Loaded, LoadedItem } from './loaded.ts'
import {
  namedServers,
  type OpenServerFile,
  openServerFiles,
  serverFindings,
  withStoredListings,
} from '../servers/open-server-files.ts'
import { SERVER_FILE_OPTIONS } from '../servers/read-servers.ts'
import { isInside } from '../walk/is-inside.ts'
import { isTrusted } from '../trust/is-trusted.ts'
import {
  openTrustStore,
  TRUST_OPTIONS,
  trustChangedMessage,
  type TrustOptions,
} from '../trust/trust-store.ts'
import { givenPaths } from '../walk/given-paths.ts'
import { type FolderProgress, LOAD_OPTIONS, type LoadOptions } from '../walk/load-options.ts'

export interface ProjectOptions extends LoadOptions, TrustOptions {
  /** The folder of the project; the current one by default. */
  readonly project?: string
  /** The user's home, which is searched when no path is given; null leaves it out. */
  readonly home?: string | null
  /** False to leave out the parents of the project, whose folders of skills are searched when no path is given. */
  readonly parents?: boolean
  /** The lock whose stored tools of servers are used; `loadout.lock` of the project when absent. */
  readonly lock?: string
  /** Environment variables that files of servers may use, in addition to those of the configuration. */
  readonly environment?: readonly string[]
  /** The values of the environment variables that files of servers may use; those of this process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The skills that a person has turned off, as `openSkillSwitches` opens them; none when absent. */
  readonly switches?: SkillSwitches
  /** Counts texts that a manifest has no counts for; `o200k_base` by default. */
  readonly counter?: TokenCounter
}

export const PROJECT_OPTIONS: OptionsOf<ProjectOptions> = {
  ...LOAD_OPTIONS,
  ...TRUST_OPTIONS,
  ...SERVER_FILE_OPTIONS,
  project: 'text',
  home: 'text or null',
  parents: 'switch',
  lock: 'text',
  switches: 'object',
  counter: 'object',
}

/** Everything needed to open sessions on the definitions of a project. */
export interface Project {
  readonly catalog: Catalog
  /** The configuration; its rules deny the skills that are off, too. */
  readonly config: ProjectConfig
  /** All findings, including those of the catalog. */
  readonly diagnostics: readonly Diagnostic[]
  /** The handler files of all tools from disk, bound or not. */
  readonly handlers: readonly HandlerFile[]
  /** The files of servers that were found. Nothing of them is started or connected. */
  readonly serverFiles: readonly OpenServerFile[]
  /** The plugins that were found. */
  readonly plugins: readonly Plugin[]
  /** The folders that were read, by precedence. */
  readonly roots: readonly string[]
  /** The folders that were looked for, by precedence, also those that do not exist. */
  readonly searched: readonly string[]
  /** The folders that are Carnet projects. */
  readonly carnet: readonly CarnetFolder[]
  /** Every definition found on disk, even if it could not be loaded. */
  readonly items: readonly LoadedItem[]
  readonly scanned: { readonly folders: number; readonly files: number }
  /** Has the token counts of a manifest; absent where nothing is counted yet. */
  readonly counter?: TokenCounter
}

/**
 * Reads skills, tools, agents, rules and configuration from paths, or from the default paths of the
 * project and the home when none is given; binds trusted handlers; makes a catalog.
 *
 * The configuration is that of the first path that has one, in the path itself or in a parent up to
 * the project's folder. Its own definitions precede those of folders; its catalog takes their place. Throws
 * `PATH_NOT_FOUND` for a given path that does not exist.
 */
export async function openProject(
  paths: string | readonly string[] = [],
  options: ProjectOptions = {},
): Promise<Project> {
  checkOptions(options, PROJECT_OPTIONS)
  return withSwitchedOff(await loadProject(givenPaths(paths), options), options)
}

/**
 * Reads what `openProject` reads. Nothing that is given is checked. With null for `lock`, it connects to the servers, and
 * takes their tools from them.
 */
export async function loadProject(
  paths: readonly string[],
  options: Omit<ProjectOptions, 'lock'> & { readonly lock?: string | null },
  onFolder?: FolderProgress,
): Promise<Project> {
  const project = resolve(options.project ?? process.cwd())
  const given = paths.length > 0 ? paths.map((path) => resolve(path)) : [project]
  const trust = trustChecker(options)
  const folder = await findConfigFolder(given, project)
  const loadedConfig =
    folder === null
      ? { config: NO_CONFIG, diagnostics: [] }
      : await loadConfig(folder, { trusted: await trust.ask(folder) })
  const { config: own } = loadedConfig
  if (own.catalog !== null) return projectOfCatalog(own.catalog, loadedConfig, trust.diagnostics)
  const followLinksOut = options.followLinksOut ?? own.folders.followLinksOut
  const parents = options.parents !== false && own.folders.parents
  const places =
    paths.length > 0
      ? { searched: paths, roots: paths, diagnostics: [] }
      : await findDefaultFolders({ ...options, project, parents, followLinksOut })
  const folders = own.skills.filter((one) => typeof one === 'string')
  const configured = await existingFolders(folders)
  const withConfigured = (listed: readonly string[]) => [
    ...new Set([...listed.map((path) => resolve(path)), ...configured]),
  ]
  const roots = withConfigured(places.roots)
  const reading = { ...options, followLinksOut, ...(paths.length === 0 && { within: project }) }
  const loaded = await withTrustedRoots(await loadRoots(roots, reading, onFolder), options)
  const { carnet } = loaded
  const settings = await mergeCarnetSettings(own, carnet, trust.ask)
  const { config } = settings
  const trustedRoots = new Map<string, boolean>()
  for (const { root } of [...loaded.handlers, ...loaded.toolModules]) {
    if (!trustedRoots.has(root)) trustedRoots.set(root, await trust.ask(root))
  }
  const bound = await bindHandlers(loaded, { trusted: (root) => trustedRoots.get(root) ?? false })
  const found = await Promise.all((paths.length > 0 ? roots : given).map(readPlugins))
  const plugins = found.flatMap((one) => one.plugins)
  const faults = found.flatMap((one) => one.diagnostics)
  const servers = await openServerFiles({
    config: own,
    folders: await configFolders(given, project),
    found: [...loaded.serverSources, ...plugins.flatMap((one) => one.servers)],
    ask: trust.ask,
    environment: [...(own.environment.servers ?? []), ...(options.environment ?? [])],
    ...(options.env && { env: options.env }),
  })
  const skills = [...own.skills.filter((one) => typeof one !== 'string'), ...bound.skills]
  const named = namedServers(skills, [...config.toolsets, ...bound.toolsets])
  const stored = await withStoredListings(
    [
      ...config.servers.filter((one) => typeof one !== 'string'),
      ...servers.files
        .flatMap((one) => one.servers.map(({ server }) => server))
        .filter(({ name }) => named.has(name)),
    ],
    options.lock === undefined ? join(project, LOCK_FILE) : options.lock,
  )
  const catalog = await createCatalog({
    skills,
    toolsets: [...config.toolsets, ...bound.toolsets],
    tools: [...config.tools.filter((one) => typeof one !== 'string'), ...bound.tools],
    components: config.components,
    agents: [...config.agents, ...bound.agents],
    rules: bound.rules,
    servers: stored.servers,
    diagnostics: [
      ...loadedConfig.diagnostics,
      ...settings.diagnostics,
      ...folders
        .filter((path) => !configured.includes(path))
        .map((path) => missingPath(path, config.file ?? '')),
      ...trust.diagnostics,
      ...places.diagnostics,
      ...bound.diagnostics,
      ...faults,
      // The file of a plugin may be that of the project.
      ...servers.diagnostics.filter(({ file }) => !faults.some((one) => one.file === file)),
      ...serverFindings(servers.files, named),
      ...stored.diagnostics,
    ],
  })
  const { handlers, items, scanned } = bound
  const diagnostics = [...catalog.diagnostics, ...toolsetsWithoutCode(catalog, handlers)]
  const { files: serverFiles } = servers
  const searched = withConfigured(places.searched)
  return {
    catalog,
    config,
    diagnostics,
    handlers,
    serverFiles,
    plugins,
    roots,
    searched,
    items,
    carnet,
    scanned,
  }
}

/**
 * Lets the code of a skill or plugin run whose own folder is trusted, when the folder that was read is not: it then
 * belongs to the trusted folder.
 */
async function withTrustedRoots(
  found: Loaded,
  { trusted, trustStore = openTrustStore() }: TrustOptions,
): Promise<Loaded> {
  const { handlers, toolModules, serverSources } = found
  const hasCode = handlers.length + toolModules.length + serverSources.length > 0
  if (trusted !== undefined || !hasCode) return found
  const folders = (await trustStore.list()).map(({ folder }) => folder)
  const inRoot = <One extends { readonly root: string; readonly file: string }>(one: One): One => {
    if (folders.some((folder) => isInside(folder, one.root))) return one
    const own = folders.find((folder) => isInside(one.root, folder) && isInside(folder, one.file))
    return own === undefined ? one : { ...one, root: own }
  }
  return {
    ...found,
    handlers: handlers.map(inRoot),
    toolModules: toolModules.map(inRoot),
    serverSources: serverSources.map(inRoot),
  }
}

/** Adds the rules of the skills that a person has turned off. */
export async function withSwitchedOff(
  project: Project,
  { switches, project: folder = process.cwd() }: Pick<ProjectOptions, 'switches' | 'project'>,
): Promise<Project> {
  if (switches === undefined) return project
  const permissions = withSwitches(project.config.permissions, await switches.read(folder))
  return { ...project, config: { ...project.config, permissions } }
}

/** Returns the project of a configuration with a catalog: no folder is read. */
function projectOfCatalog(
  catalog: Catalog,
  { config, diagnostics }: LoadedConfig,
  ofTrust: readonly Diagnostic[],
): Project {
  return {
    catalog,
    config,
    diagnostics: [...diagnostics, ...ofTrust, ...catalog.diagnostics],
    handlers: [],
    serverFiles: [],
    plugins: [],
    items: [],
    carnet: [],
    roots: [],
    searched: [],
    scanned: { folders: 0, files: 1 },
  }
}

/**
 * Creates a function that decides if code of a folder may run, and collects findings about trusted
 * folders whose code has changed.
 */
function trustChecker(options: TrustOptions) {
  const diagnostics: Diagnostic[] = []
  const ask = (folder: string): Promise<boolean> =>
    isTrusted(folder, options, ({ folder: file }, files) =>
      diagnostics.push({
        code: 'trust-changed',
        severity: 'warning',
        message: trustChangedMessage(files),
        hint: `Read what changed, then trust it again: loadout trust ${quotedPath(file)}.`,
        file,
      }),
    )
  return { ask, diagnostics }
}

function missingPath(path: string, file: string): Diagnostic {
  return {
    code: 'path-missing',
    severity: 'warning',
    message: `The configuration names the folder "${path}", which does not exist.`,
    hint: 'Correct "skills" in the configuration; paths are relative to its file.',
    file,
  }
}
