import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { defineSkill, type Diagnostic, type Skill, WorkspaceError } from '../../../entries/index.ts'
import { didYouMean, Findings, isObject, nearestNames, usableName } from '../../../entries/kit.ts'
import { parseJson } from '../../../entries/definitions.ts'
import {
  SERVERS_FILE,
  type ServerSource,
  serversInManifest,
  serversOfPlugin,
} from '../servers/server-source.ts'
import { isInside } from '../walk/is-inside.ts'
import { resolveOptions } from '../walk/load-options.ts'
import { readText } from '../walk/read-inside.ts'

/** A plugin of Claude Code: skills, commands, agents and more in one folder. */
export interface Plugin {
  readonly name: string
  readonly description: string
  /** Its real path. */
  readonly folder: string
  /** The folders of its skills. */
  readonly skills: readonly string[]
  /** The folders that its skills are in. Claude Code looks in each, and one level below, and no deeper. */
  readonly skillPlaces: readonly string[]
  /** Markdown files, or folders that contain them. */
  readonly commands: readonly string[]
  readonly agents: readonly string[]
  /** The servers of its `.mcp.json`, of its manifest, and of the files that its manifest names. */
  readonly servers: readonly ServerSource[]
  /** Names of parts that have no counterpart here, such as `hooks`. */
  readonly others: readonly string[]
  /** Findings about its manifest, and the paths in it. */
  readonly diagnostics: readonly Diagnostic[]
}

interface FoundPlugins {
  readonly plugins: readonly Plugin[]
  /** Plugins that a marketplace lists and that are not in its folder. */
  readonly elsewhere: readonly { readonly name: string; readonly source: string }[]
  readonly diagnostics: readonly Diagnostic[]
}

const FOLDER = '.claude-plugin'

/** Parts of a plugin without a counterpart: their fields in its manifest, and their usual places. */
const OTHER_PARTS = [
  ['hooks', 'hooks'],
  ['lspServers', '.lsp.json'],
  ['outputStyles', 'output-styles'],
  ['bin', 'bin'],
  ['monitors', 'monitors'],
] as const

/**
 * Reads the plugins of a folder: those of its marketplace, itself if it is a plugin, or those in `plugins`. Reads no
 * file outside of the folder, and runs nothing.
 */
export async function readPlugins(folder: string): Promise<FoundPlugins> {
  const root = await realpath(folder).catch(() => folder)
  const diagnostics: Diagnostic[] = []
  const market = await readJson(root, join(root, FOLDER, 'marketplace.json'), diagnostics)
  if (market !== null) return { ...(await ofMarketplace(root, market, diagnostics)), diagnostics }
  if (await isPlugin(root)) {
    const plugin = await readPlugin(root, root, {}, diagnostics)
    return { plugins: plugin === null ? [] : [plugin], elsewhere: [], diagnostics }
  }
  const inner = await readdir(join(root, 'plugins')).catch((): string[] => [])
  const found = []
  for (const name of inner.sort()) {
    const path = join(root, 'plugins', name)
    if (await isPlugin(path)) found.push(await readPlugin(root, path, {}, diagnostics))
  }
  return { plugins: found.filter((one) => one !== null), elsewhere: [], diagnostics }
}

/** Returns the plugin with a name. Throws `PLUGIN_UNKNOWN`. */
export function pluginNamed(name: string, { plugins, elsewhere }: FoundPlugins): Plugin {
  const found = plugins.find((one) => one.name === name)
  if (found !== undefined) return found
  const other = elsewhere.find((one) => one.name === name)
  const known = plugins.map((one) => one.name)
  throw new WorkspaceError('PLUGIN_UNKNOWN', `There is no plugin "${name}" in this folder.`, {
    facts: { name, known },
    hint:
      other === undefined
        ? didYouMean(nearestNames(name, known), `Known plugins: ${known.join(', ') || 'none'}.`)
        : `Its marketplace has it at ${other.source}. Fetch it first.`,
  })
}

/** Returns true for a file of a skill that a plugin lists. */
export function isOfPlugin(path: string, { skills }: Plugin): boolean {
  return skills.some((folder) => isInside(folder, path))
}

/**
 * Gives a skill whose name an earlier one has, and that is of a plugin, the name `<plugin>-<name>`, and the alias
 * `<plugin>:<name>`, by which texts name it. Plugins are looked for in the given folders, and only when two skills
 * have one name.
 */
export async function nameByPlugin(
  skills: readonly Skill[],
  folders: readonly string[],
): Promise<readonly Skill[]> {
  const first = new Map([...skills].reverse().map((skill) => [skill.name, skill]))
  if (first.size === skills.length) return skills
  const found = await Promise.all([...new Set(folders)].map(readPlugins))
  const plugins = found.flatMap((one) => one.plugins)
  return skills.map((skill) => {
    const before = first.get(skill.name)
    // A copy of the first, with the same text, is no other skill.
    const isFirst = before === skill || before?.hash === skill.hash
    const plugin = isFirst ? undefined : plugins.find((one) => isOfPlugin(skill.path ?? '', one))
    const name = usableName(`${plugin?.name ?? ''}-${skill.name}`)
    if (plugin === undefined || name === undefined || first.has(name)) return skill
    // Nor is the skill that a plugin is named after, next to its copies for other clients.
    if (plugin.name === skill.name && before?.description === skill.description) return skill
    const { hash: _, ...definition } = skill
    const alias = `${plugin.name}:${skill.name}`
    const named = defineSkill({
      ...definition,
      name,
      displayName: `${skill.displayName} (${plugin.name})`,
      aliases: [...skill.aliases, alias],
    })
    first.set(name, named)
    return named
  })
}

async function ofMarketplace(
  root: string,
  { plugins: listed, metadata }: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostic[],
): Promise<Pick<FoundPlugins, 'plugins' | 'elsewhere'>> {
  const base = isObject(metadata) ? textOrEmpty(metadata['pluginRoot']) : ''
  const plugins: Plugin[] = []
  const elsewhere: { name: string; source: string }[] = []
  const own = await readJson(root, join(root, FOLDER, 'plugin.json'), [])
  for (const entry of Array.isArray(listed) ? listed : []) {
    if (!isObject(entry)) continue
    const { source, name } = entry
    // A plugin may be listed with the address of the repository that it is in.
    const isRoot = isObject(source) && own !== null && own['name'] === name
    if (typeof source === 'string' || isRoot) {
      const path = isRoot ? root : resolve(root, base, textOrEmpty(source))
      const plugin = await readPlugin(root, path, entry, diagnostics)
      if (plugin !== null) plugins.push(plugin)
    } else elsewhere.push({ name: textOrEmpty(name), source: sourceAddress(source) })
  }
  // A plugin with a marketplace of others, or that its own marketplace has by another name.
  if (own !== null && !plugins.some(({ folder }) => folder === root)) {
    const plugin = await readPlugin(root, root, {}, diagnostics)
    if (plugin !== null) plugins.push(plugin)
  }
  return { plugins, elsewhere }
}

function sourceAddress(source: unknown): string {
  if (!isObject(source)) return 'an unknown place'
  const { repo, url, package: npm } = source
  return textOrEmpty(repo) || textOrEmpty(url) || textOrEmpty(npm) || 'an unknown place'
}

async function isPlugin(folder: string): Promise<boolean> {
  return (await stat(join(folder, FOLDER, 'plugin.json')).catch(() => null))?.isFile() === true
}

/**
 * Reads a plugin. Lists of its marketplace take the place of the usual folders, and those of its own manifest add to
 * them. Null for a folder that does not exist, or is not inside the root.
 */
async function readPlugin(
  root: string,
  path: string,
  entry: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostic[],
): Promise<Plugin | null> {
  const folder = await realpath(path).catch(() => null)
  const given = usableName(textOrEmpty(entry['name']))
  const isIn = folder !== null && isInside(root, folder)
  const entries = isIn ? await readdir(folder).catch(() => null) : null
  if (folder === null || entries === null) {
    diagnostics.push({
      code: 'plugin-missing',
      severity: 'warning',
      message: `The plugin "${given ?? path}" is not in the folder of its marketplace.`,
      hint: 'Fetch the complete repository.',
      file: join(root, FOLDER, 'marketplace.json'),
    })
    return null
  }
  const findings: Diagnostic[] = []
  const manifest = join(folder, FOLDER, 'plugin.json')
  const own = (await readJson(folder, manifest, findings)) ?? {}
  const name = given ?? usableName(textOrEmpty(own['name'])) ?? basename(folder)
  const market = join(root, FOLDER, 'marketplace.json')
  const names = new Set(entries)
  const paths = async (field: string, listed: readonly unknown[], file: string) => {
    const found = []
    for (const one of listed) {
      const { path, fault } = await partPath(folder, field, one)
      if (path !== null) found.push(path)
      if (fault === null) continue
      findings.push({
        code: path === null ? 'plugin-path' : 'plugin-skill-file',
        severity: 'warning',
        message: `"${field}" of the plugin "${name}": ${fault}.`,
        hint: 'Name a part of a plugin by its path from the folder of the plugin, and a skill by its folder.',
        file,
      })
    }
    return found
  }
  const parts = async (kind: 'skills' | 'commands' | 'agents') => {
    const [listed, added] = [asList(entry[kind], kind), asList(own[kind], kind)]
    const isSkill = kind === 'skills' && names.has('SKILL.md') && listed.length + added.length === 0
    const usual = names.has(kind) ? [kind] : isSkill ? ['.'] : []
    return [
      ...new Set([
        ...(await paths(kind, listed, market)),
        ...(await paths(kind, listed.length === 0 ? usual : [], join(folder, kind))),
        ...(await paths(kind, added, manifest)),
      ]),
    ]
  }
  const servers: ServerSource[] = []
  const takeServers = async (given: readonly unknown[], file: string) => {
    for (const one of given) {
      const [path] = isObject(one) ? [] : await paths('mcpServers', [one], file)
      if (isObject(one)) servers.push(serversInManifest(one, file, folder))
      else if (path !== undefined && !servers.some((source) => source.file === path)) {
        servers.push(...(await serversOfPlugin(path, folder, findings)))
      }
    }
  }
  await takeServers(names.has(SERVERS_FILE) ? [SERVERS_FILE] : [], manifest)
  await takeServers(asList(entry['mcpServers']), market)
  await takeServers(asList(own['mcpServers']), manifest)
  const skillPlaces = await parts('skills')
  const skills = await Promise.all(skillPlaces.map((place) => skillFolders(root, place)))
  const plugin = {
    name,
    description: textOrEmpty(entry['description']) || textOrEmpty(own['description']),
    folder,
    skills: [...new Set(skills.flat())],
    skillPlaces,
    commands: await parts('commands'),
    agents: await parts('agents'),
    servers,
    others: OTHER_PARTS.flatMap(([field, place]) => {
      const isListed = (entry[field] ?? own[field]) !== undefined
      return [
        ...(names.has(place) ? [place] : []),
        ...(isListed && !names.has(field) ? [field] : []),
      ]
    }),
    diagnostics: findings,
  }
  for (const [field] of OTHER_PARTS) {
    await paths(field, asList(entry[field]).filter(isText), market)
    await paths(field, asList(own[field]).filter(isText), manifest)
  }
  diagnostics.push(...findings)
  return plugin
}

/** Returns the folder itself if it is that of a skill, else those of skills directly below it, also by links. */
async function skillFolders(root: string, place: string): Promise<readonly string[]> {
  const names = await readdir(place).catch((): string[] => [])
  if (names.some(isSkillFile)) return [place]
  const below = names.sort().map(async (name) => {
    const real = await realpath(join(place, name)).catch(() => null)
    if (real === null || !isInside(root, real)) return []
    const inner = await readdir(real).catch((): string[] => [])
    return inner.some(isSkillFile) ? [real] : []
  })
  return (await Promise.all(below)).flat()
}

function isSkillFile(name: string): boolean {
  return name === 'SKILL.md' || name === 'skill.md'
}

/** Returns the real path of a part of a plugin, null for one that cannot be read, and what is wrong with the given path. */
async function partPath(folder: string, field: string, given: unknown) {
  const unusable = (fault: string) => ({ path: null, fault })
  if (!isText(given) || given === '') return unusable('an entry is not a path')
  const named = JSON.stringify(given)
  const full = resolve(folder, given)
  const stats = await stat(full).catch(() => null)
  const isFile = stats?.isFile() === true
  const isSkill = isFile && field === 'skills' && /^skill\.md$/i.test(basename(full))
  const path = await realpath(isSkill ? dirname(full) : full).catch(() => null)
  if (stats === null || path === null) return unusable(`${named} does not exist`)
  if (!isInside(folder, path)) return unusable(`${named} leads out of its folder`)
  if (isSkill) return { path, fault: `${named} is a file, and Claude Code reads only folders` }
  const isMarkdown = isFile && path.endsWith('.md') && field !== 'skills'
  const isPart = field === 'skills' || field === 'commands' || field === 'agents'
  if (isPart && !stats.isDirectory() && !isMarkdown) {
    return unusable(`${named} is not a folder${field === 'skills' ? '' : ' or a Markdown file'}`)
  }
  return { path, fault: null }
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** Returns a field of a manifest as a list. Of commands by name, the paths. */
function asList(value: unknown, field = ''): readonly unknown[] {
  if (field === 'commands' && isObject(value)) {
    return Object.values(value).map((one) => (isObject(one) ? one['source'] : one))
  }
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** Returns the object in a JSON file; null when there is none. */
async function readJson(
  root: string,
  file: string,
  diagnostics: Diagnostic[],
): Promise<Readonly<Record<string, unknown>> | null> {
  if ((await stat(file).catch(() => null)) === null) return null
  const text = await readText(root, file, resolveOptions({}), diagnostics)
  if (text === null) return null
  const findings = new Findings(file)
  const parsed = parseJson(text, findings, 'values')
  diagnostics.push(...findings.list)
  return parsed?.value ?? null
}
