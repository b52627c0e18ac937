import { basename, dirname, join } from 'node:path'
import { type Diagnostic, WorkspaceError } from '../../../entries/index.ts'
import { isObject, thrownMessage, usableToolName } from '../../../entries/kit.ts'
import { type ResolvedOptions, resolveOptions } from '../walk/load-options.ts'
import { readNamedFile, readText } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'
import { withoutComments } from '../../../connections/clients/without-comments.ts'

/** The servers of a file, unchanged. */
export interface ServerSource {
  /** Absolute. */
  readonly file: string
  /** Real path of the folder for which trust is checked. */
  readonly root: string
  /** The folder in which its programs run. */
  readonly folder: string
  readonly entries: Readonly<Record<string, unknown>>
}

/** The name of a file of servers next to a skill, a toolset, or a project. */
export const SERVERS_FILE = '.mcp.json'

/** Files of servers in the folder of a project: of Claude Code and others, Cursor, and VS Code. */
const PROJECT_FILES = [SERVERS_FILE, '.cursor/mcp.json', '.vscode/mcp.json']

/** Files of servers in the home of a person: of Claude Code, Cursor, Claude Desktop, and VS Code. */
const HOME_FILES = [
  '.claude.json',
  '.cursor/mcp.json',
  ...['.config/Claude', 'Library/Application Support/Claude'].map((folder) =>
    join(folder, 'claude_desktop_config.json'),
  ),
  ...['.config/Code/User', 'Library/Application Support/Code/User'].map((folder) =>
    join(folder, 'mcp.json'),
  ),
]

/** Folders whose files are about the folder that they are in. */
const INNER_FOLDERS: ReadonlySet<string> = new Set(['.cursor', '.vscode', '.claude-plugin'])

/** Characters of a file of servers. Claude Code keeps its history in the same file. */
const LARGEST_FILE = 64 * 1024 * 1024

/** Returns the paths at which clients keep servers: for a project, or for a person. The files may not exist. */
export function serverFilesIn(folder: string, of: 'project' | 'home'): readonly string[] {
  return (of === 'project' ? PROJECT_FILES : HOME_FILES).map((path) => join(folder, path))
}

/**
 * Reads a file of servers. Rejects with `SERVERS_INVALID`.
 *
 * @param projects folders (absolute) whose own servers are read, too: Claude Code keeps them in the file of the home
 */
export async function loadServerSource(
  file: string,
  projects: readonly string[] = [],
): Promise<ServerSource> {
  const read = await readNamedFile(file)
  if (!read.ok) throw invalid(file, `cannot be read. ${read.fault.message}`)
  return parseServerSource(read.text, file, dirname(file), projects)
}

/**
 * Reads the file of servers next to a definition. Null when there is none, or when it cannot be used, which is
 * reported.
 *
 * @param boundary the folder (its real path) that no link may lead out of
 */
export async function serversNextTo(
  { path, entries }: Folder,
  boundary: string,
  { root, options }: { readonly root: string; readonly options: ResolvedOptions },
  diagnostics: Diagnostic[],
): Promise<ServerSource | null> {
  if (!entries.some(({ name }) => name === SERVERS_FILE)) return null
  const file = join(path, SERVERS_FILE)
  const text = await readText(boundary, file, options, diagnostics)
  if (text === null) return null
  try {
    return parseServerSource(text, file, root)
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    diagnostics.push(serversUnreadable(error, file))
    return null
  }
}

/** Returns the servers that a manifest of a plugin has. */
export function serversInManifest(
  given: Readonly<Record<string, unknown>>,
  file: string,
  folder: string,
): ServerSource {
  return { file, root: folder, folder, entries: serverEntries(given) ?? given }
}

/** Reads a file of servers that is a part of a plugin; none when it cannot be used, which is reported. */
export async function serversOfPlugin(
  file: string,
  folder: string,
  diagnostics: Diagnostic[],
): Promise<readonly ServerSource[]> {
  const text = await readText(folder, file, resolveOptions({}), diagnostics)
  try {
    return text === null ? [] : [{ ...parseServerSource(text, file, folder), folder }]
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    diagnostics.push(serversUnreadable(error, file))
    return []
  }
}

/** The finding about a file of servers that cannot be read. */
export function serversUnreadable({ message, hint }: WorkspaceError, file: string): Diagnostic {
  return { code: 'servers-invalid', severity: 'error', message, hint, file }
}

/**
 * Returns the servers in a value: those in `mcpServers` or `servers`, or the value itself if it has only servers, as in
 * plugins of Claude Code. Null when it has none.
 */
function serverEntries(value: unknown): Readonly<Record<string, unknown>> | null {
  if (!isObject(value)) return null
  const shared = value['mcpServers'] ?? value['servers']
  if (isObject(shared) && !isServer(shared)) return shared
  const others = Object.entries(value).filter(([name]) => !/^[$_]/u.test(name))
  const isFlat = others.every(([, one]) => isObject(one))
  if (!isFlat || (others.length > 0 && !others.some(([, one]) => isServer(one)))) return null
  return Object.fromEntries(others)
}

function isServer(value: unknown): boolean {
  return isObject(value) && [value['command'], value['url']].some((one) => typeof one === 'string')
}

/** Ends the message about a file that can be read, and has no servers. */
export const NO_SERVERS = 'has neither "mcpServers" nor "servers".'

/** Parses the text of a file of servers. Throws `SERVERS_INVALID`. */
function parseServerSource(
  text: string,
  file: string,
  root: string,
  projects: readonly string[] = [],
): ServerSource {
  if (text.length > LARGEST_FILE) throw invalid(file, `has over ${LARGEST_FILE} characters.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(withoutComments(text.replace(/^\uFEFF/u, '')))
  } catch (cause) {
    throw invalid(file, `is not JSON: ${thrownMessage(cause)}`, cause)
  }
  const shared = serverEntries(parsed)
  const own = isObject(parsed) ? entriesOfProjects(parsed['projects'], projects) : {}
  const hasOwn = Object.keys(own).length > 0
  const entries = shared !== null ? { ...shared, ...own } : hasOwn ? own : undefined
  if (entries === undefined) throw invalid(file, NO_SERVERS)
  const folder = dirname(file)
  const isInner = INNER_FOLDERS.has(basename(folder))
  return { file, root, folder: isInner ? dirname(folder) : folder, entries }
}

/** Returns the servers that Claude Code keeps for some folders. They run in their folder. */
function entriesOfProjects(
  given: unknown,
  projects: readonly string[],
): Readonly<Record<string, unknown>> {
  const entries = projects.flatMap((folder) => {
    const { [folder]: project } = isObject(given) ? given : {}
    const { mcpServers } = isObject(project) ? project : {}
    if (!isObject(mcpServers)) return []
    return Object.entries(mcpServers).map(([name, server]): [string, unknown] => [
      name,
      isObject(server) ? { cwd: folder, ...server } : server,
    ])
  })
  return Object.fromEntries(entries)
}

/** Returns the names that the servers of a file have here. */
export function namesOfServers({ entries }: ServerSource): readonly string[] {
  return Object.keys(entries).flatMap((name) => usableToolName(name) ?? [])
}

function invalid(file: string, what: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError('SERVERS_INVALID', `"${file}" ${what}`, {
    hint: 'Give a file such as .mcp.json: { "mcpServers": { "name": { "command": "...", "args": [] } } }.',
    facts: { file },
    cause,
  })
}
