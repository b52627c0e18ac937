import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  type Diagnostic,
  type Skill,
  type Toolset,
  WorkspaceError,
} from '../../../entries/index.ts'
import { type ToolServer, tryOrUndefined } from '../../../entries/kit.ts'
import { listingOf, readLock } from '../../../entries/manifest.ts'
import type { ProjectConfig } from '../config/define-config.ts'
import { trustedFolderAt } from '../trust/is-trusted.ts'
import { mapBounded } from '../walk/map-bounded.ts'
import { readNamedFile } from '../walk/read-inside.ts'
import { type NamedServer, type ServerFileOptions, serversOfSource } from './read-servers.ts'
import {
  loadServerSource,
  serverFilesIn,
  type ServerSource,
  serversUnreadable,
} from './server-source.ts'

/** A file of servers of a project, in which a server may be one that cannot be connected. */
export interface OpenServerFile {
  /** Absolute. */
  readonly file: string
  readonly servers: readonly NamedServer[]
}

interface ServerFilesOptions extends ServerFileOptions {
  readonly config: Pick<ProjectConfig, 'file' | 'servers'>
  /** Folders in which clients keep files of servers. */
  readonly folders: readonly string[]
  /** The files next to skills and toolsets. */
  readonly found: readonly ServerSource[]
  /** Returns true when the servers of a folder may be started. */
  ask(root: string): Promise<boolean>
}

/**
 * Reads the files of servers of a project, by precedence: those of the configuration, those of its folders, and those
 * next to skills and toolsets. Each file is read once. Nothing is started or connected.
 */
export async function openServerFiles({
  config,
  folders,
  found,
  ask,
  ...options
}: ServerFilesOptions): Promise<{
  readonly files: readonly OpenServerFile[]
  readonly diagnostics: readonly Diagnostic[]
}> {
  const diagnostics: Diagnostic[] = []
  const root = dirname(config.file ?? '')
  const named = config.servers.filter((one) => typeof one === 'string')
  const kept = await existing(folders.flatMap((folder) => serverFilesIn(folder, 'project')))
  const sources = new Map<string, ServerSource>()
  for (const file of [...named, ...kept]) {
    if (sources.has(file) || found.some((one) => one.file === file)) continue
    try {
      const source = await loadServerSource(file, folders)
      sources.set(file, named.includes(file) ? { ...source, root } : source)
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      diagnostics.push(serversUnreadable(error, file))
    }
  }
  const files: OpenServerFile[] = []
  const seen = new Set<string>()
  for (const source of [...sources.values(), ...found]) {
    // Plugins of one folder have the same servers.
    const key = JSON.stringify([source.file, source.entries])
    if (seen.has(key)) continue
    seen.add(key)
    const trusted = await ask(source.root)
    const trust = { trusted, guard: trustedFolderAt(source.root) }
    files.push({ file: source.file, servers: serversOfSource(source, { ...options, ...trust }) })
  }
  return { files, diagnostics }
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => ((await stat(path).catch(() => null))?.isFile() ? [path] : [])),
  )
  return found.flat()
}

/** Returns the names of the servers that skills and toolsets name. */
export function namedServers(
  skills: readonly Skill[],
  toolsets: readonly Toolset[],
): ReadonlySet<string> {
  const inline = skills.flatMap((skill) => skill.toolsets.filter((one) => typeof one !== 'string'))
  return new Set([...skills, ...toolsets, ...inline].flatMap(({ servers = [] }) => servers))
}

/** The findings about servers that skills name and that cannot be connected. */
export function serverFindings(
  files: readonly OpenServerFile[],
  named: ReadonlySet<string>,
): readonly Diagnostic[] {
  return files.flatMap(({ file, servers }) =>
    servers.flatMap(({ name, server, problem }): Diagnostic[] => {
      if (problem === undefined || !named.has(server.name)) return []
      const isUntrusted = problem.code === 'SERVER_UNTRUSTED'
      return [
        {
          code: isUntrusted ? 'server-untrusted' : 'server-invalid',
          severity: 'warning',
          message: isUntrusted
            ? `The server "${name}" is not started: its folder is not trusted.`
            : `The server "${name}" cannot be used. ${problem.message}`,
          hint: problem.hint,
          file,
        },
      ]
    }),
  )
}

/**
 * Gives servers their tools from a lock: they are then found, explained and priced without a connection. A server with
 * another configuration than the locked one is left unchanged, which is reported. A lock that cannot be read has none.
 *
 * @param lock null to connect to each server instead, and ask it. Rejects when one cannot be connected
 */
export async function withStoredListings(
  servers: readonly ToolServer[],
  lock: string | null,
): Promise<{
  readonly servers: readonly ToolServer[]
  readonly diagnostics: readonly Diagnostic[]
}> {
  if (servers.length === 0) return { servers, diagnostics: [] }
  if (lock === null) return { servers: await mapBounded(servers, 4, listed), diagnostics: [] }
  const read = await readNamedFile(lock)
  const locked = read.ok ? tryOrUndefined(() => readLock(JSON.parse(read.text))) : undefined
  const byName = new Map((locked?.servers ?? []).map((one) => [one.name, one]))
  const diagnostics: Diagnostic[] = []
  const given = servers.map((server) => {
    const stored = byName.get(server.name)
    if (stored === undefined || server.listing !== undefined) return server
    try {
      if (stored.hash !== server.hash) {
        const message = `The server "${server.name}" has another configuration than when its tools were locked.`
        const hint = 'Lock again: loadout lock --servers.'
        throw new WorkspaceError('LOCK_OUTDATED', message, { hint })
      }
      return Object.freeze({ ...server, listing: listingOf(stored) })
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      const { message, hint } = error
      diagnostics.push({ code: 'listing-outdated', severity: 'warning', message, hint, file: lock })
      return server
    }
  })
  return { servers: given, diagnostics }
}

async function listed(server: ToolServer): Promise<ToolServer> {
  const signal = new AbortController().signal
  const host = { signal, onListing: () => undefined, onLost: () => undefined }
  const connection = await server.connect(host)
  await connection.close()
  const { tools, instructions } = connection.listing
  const listing = { tools, leftOut: [], ...(instructions !== undefined && { instructions }) }
  return Object.freeze({ ...server, listing })
}
