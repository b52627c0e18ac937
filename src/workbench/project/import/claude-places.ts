import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { quotedPath, shellWord } from '../../../entries/kit.ts'
import { type Plugin, pluginNamed, readPlugins } from '../folders/read-plugins.ts'
import { loadServerSource, SERVERS_FILE, type ServerSource } from '../servers/server-source.ts'
import { isInside } from '../walk/is-inside.ts'
import { type ImportItem, leftItem } from './imported.ts'

/** A `.claude` folder or a plugin, with the folders and files of its parts. */
export interface ClaudePlace {
  /** Its real path. */
  readonly root: string
  /** Paths of items are relative to it. */
  readonly base: string
  readonly skills: readonly string[]
  readonly commands: readonly string[]
  readonly agents: readonly string[]
  /** Null for a `.claude` folder. */
  readonly plugin: Plugin | null
  /** The plugins that are not imported, and what is wrong with the manifest of one that is. */
  readonly items: readonly ImportItem[]
}

/**
 * Returns what is imported of a path: its `.claude` folder, and its plugin if it has one, or the plugin with a name. Of
 * several plugins next to a `.claude` folder, and of one next to a `.claude` folder that is itself given, none is imported.
 */
export async function claudePlaces(
  from: string,
  to: string,
  wanted: string | undefined,
): Promise<readonly ClaudePlace[]> {
  const full = resolve(from)
  const isGiven = basename(full) === '.claude'
  const path = isGiven ? full : join(full, '.claude')
  const hasFolder = wanted === undefined && (await isFolder(path))
  const folder = isGiven && hasFolder ? dirname(full) : full
  const found = (await isFolder(folder))
    ? await readPlugins(folder)
    : { plugins: [], elsewhere: [], diagnostics: [] }
  const [first, second] = found.plugins
  const only = second === undefined && !(isGiven && hasFolder) ? first : undefined
  if (hasFolder) {
    const root = await realpath(path)
    const base = only === undefined ? root : dirname(root)
    const names = new Set(await readdir(root))
    const part = (name: string) => (names.has(name) ? [join(root, name)] : [])
    const parts = { skills: part('skills'), commands: part('commands'), agents: part('agents') }
    const next = only === undefined ? pluginsNextTo(root, found, folder, to) : []
    const own = {
      root,
      base,
      ...parts,
      plugin: null,
      items: [...next, ...otherPlugins(found, base)],
    }
    return only === undefined ? [own] : [own, { ...pluginPlace(only), base }]
  }
  if (wanted !== undefined) return [pluginPlace(pluginNamed(wanted, found))]
  if (only !== undefined) {
    const place = pluginPlace(only)
    return [{ ...place, items: [...otherPlugins(found, place.root), ...place.items] }]
  }
  if (second !== undefined) {
    const names = found.plugins.map(({ name }) => name)
    throw new WorkspaceError('PLUGIN_UNKNOWN', `"${from}" has ${names.length} plugins.`, {
      facts: { path: from, known: names },
      hint: `Choose one with --plugin: ${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}.`,
    })
  }
  throw new WorkspaceError('PATH_NOT_FOUND', `There is no .claude folder at "${from}".`, {
    facts: { path: from, resolved: full },
    hint:
      found.diagnostics[0]?.message ??
      'Give the folder of the project, its .claude folder, or a plugin.',
  })
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}

function pluginPlace(plugin: Plugin): ClaudePlace {
  const { folder: root, skillPlaces: skills, commands, agents, diagnostics } = plugin
  const lost = diagnostics.filter(({ code }) => code !== 'plugin-skill-file')
  const items = lost.map((one) => leftDiagnostic(root, one))
  return { root, base: root, skills, commands, agents, plugin, items }
}

/** Returns the item of a file that a finding is about. */
export function leftDiagnostic(base: string, { message, file }: Diagnostic): ImportItem {
  const path = file === undefined ? '' : relative(base, file)
  return leftItem('file', path, path, message)
}

type FoundPlugins = Awaited<ReturnType<typeof readPlugins>>

/** Names the plugins in the folder that has a `.claude` folder, with the command that imports each. */
function pluginsNextTo(
  root: string,
  found: FoundPlugins,
  folder: string,
  to: string,
): readonly ImportItem[] {
  const command = `loadout import claude ${quotedPath(folder)} ${quotedPath(to)}`
  return found.plugins.map(({ name, folder: place }) => {
    const how = `To import it: ${command} --plugin ${shellWord(name)}`
    const why = `The .claude folder next to it was read instead. ${how}`
    return leftItem('plugin', name, relative(root, place), why)
  })
}

/** Names the plugins that a marketplace lists and that are not in its folder, and what is wrong with it. */
function otherPlugins(found: FoundPlugins, base: string): readonly ImportItem[] {
  const known = new Set(found.plugins.flatMap((one) => one.diagnostics))
  return [
    ...found.elsewhere.map(({ name, source }) => {
      const why = `It is not in this folder: its marketplace has it at ${source}.`
      return leftItem('plugin', name, null, why)
    }),
    ...found.diagnostics.filter((one) => !known.has(one)).map((one) => leftDiagnostic(base, one)),
  ]
}

/** Names what else is in a place, or next to it, with what to do instead. */
export async function leftNextTo(
  { root, base, plugin }: ClaudePlace,
  to: string,
): Promise<readonly ImportItem[]> {
  const at = (path: string) => relative(base, path)
  const items: ImportItem[] = []
  const servers = plugin === null ? [] : [...plugin.servers]
  const names = plugin?.others ?? (await readdir(root)).filter((one) => !PARTS.has(one))
  for (const name of names) {
    const why = name === 'hooks' ? HOOKS : 'It has no counterpart.'
    items.push(leftItem('file', name, at(join(root, name)), why))
  }
  const folder = dirname(root)
  const next = plugin !== null || basename(root) !== '.claude' ? [] : await readdir(folder)
  for (const name of next) {
    const path = at(join(folder, name))
    if (name.startsWith('CLAUDE.') && name.endsWith('.md'))
      items.push(leftItem('file', name, path, PROMPT))
    if (name !== SERVERS_FILE) continue
    const source = await loadServerSource(join(folder, name)).catch((error: unknown) => {
      if (!WorkspaceError.is(error)) throw error
      items.push(leftItem('file', name, path, error.message))
      return null
    })
    if (source !== null) servers.push(source)
  }
  items.push(...servers.map((one) => leftServers(one, at(one.file), to)))
  return items.sort((a, b) => (a.name < b.name ? -1 : 1))
}

const PARTS: ReadonlySet<string> = new Set(
  'skills commands agents settings.json settings.local.json'.split(' '),
)

const HOOKS = 'Hooks are code: write them where sessions are opened.'

const PROMPT = 'Write what every session needs into the prompt of an agent.'

/** Names the servers of a file, and where they have to be written to be used. */
function leftServers({ file, entries }: ServerSource, path: string, to: string): ImportItem {
  const names = Object.keys(entries)
  const isRead = basename(file) === SERVERS_FILE && isInside(dirname(file), resolve(to))
  const root = JSON.stringify(entries).includes('CLAUDE_PLUGIN_ROOT')
    ? ' In place of ${CLAUDE_PLUGIN_ROOT}, write the folder of the plugin.'
    : ''
  const how = isRead
    ? 'It is read where it is: name its servers in a toolset'
    : `Its servers were not copied: write them into a ${SERVERS_FILE} in the folder of the project, and name them in a toolset`
  const listed = `${how} (\`servers: ${names.join(', ')}\`), and skills bring them.${isRead ? '' : root}`
  const why = names.length === 0 ? 'It has no servers.' : listed
  const isOwn = basename(file) === SERVERS_FILE
  return leftItem('file', isOwn ? SERVERS_FILE : path, path, why)
}
