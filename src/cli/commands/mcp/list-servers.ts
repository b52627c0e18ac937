import { join, resolve } from 'node:path'
import type { ServerListing, ToolServer } from '../../../tools/definition/tool-server.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { thrownMessage } from '../../../kernel/thrown-message.ts'
import type { CliContext } from '../../shell/cli-context.ts'

/** Options of the commands that read a file of servers. */
export interface ServersOptions {
  readonly file?: string
  readonly trust?: true
  readonly env?: readonly string[]
  readonly json?: true
}

/** A server of a file, with its tools or the reason why they are not known. */
export interface ServerReport {
  readonly name: string
  readonly runs: string
  readonly server?: ToolServer
  readonly listing?: ServerListing
  readonly problem?: string
}

/**
 * Reads the servers of a file and, with `--trust`, connects to each to list its tools. Without it nothing is started and
 * nothing is connected.
 */
export async function listServers(
  { file, trust, env }: ServersOptions,
  context: CliContext,
): Promise<readonly ServerReport[]> {
  const { readServers } = await import('../../../project/servers/read-servers.ts')
  const path = file === undefined ? join(context.cwd, '.mcp.json') : resolve(context.cwd, file)
  const read = await readServers(path, { environment: env ?? [], env: context.env })
  const problems = read.problems.map(({ server, reason }) => ({
    name: server,
    runs: '',
    problem: reason,
  }))
  const servers = read.servers.map(async ({ server, runs }): Promise<ServerReport> => {
    const known = { name: server.name, runs, server }
    if (trust !== true)
      return { ...known, problem: 'It was not connected. Read its command, then add --trust.' }
    const end = new AbortController()
    context.onEnd(async () => end.abort())
    try {
      const host = { signal: end.signal, onListing: () => undefined, onLost: () => undefined }
      const connection = await server.connect(host)
      await connection.close()
      return { ...known, listing: connection.listing }
    } catch (error) {
      return { ...known, problem: thrownMessage(error) }
    }
  })
  return [...(await Promise.all(servers)), ...problems]
}

/** Writes the servers whose tools are not known, with the reasons. Returns true when there are some. */
export function writeProblems(servers: readonly ServerReport[], context: CliContext): boolean {
  const failed = servers.filter(({ problem }) => problem !== undefined)
  for (const { name, runs, problem } of failed) {
    const line = runs === '' ? '' : ` (${runs})`
    context.stderr.write(`${sanitiseLine(`${name}${line}: ${problem ?? ''}`)}\n`)
  }
  return failed.length > 0
}

/** Returns a server that has its tools already: a workspace connects to nothing before a call. */
export function storedServer({ server, listing }: ServerReport): readonly ToolServer[] {
  return server === undefined || listing === undefined ? [] : [{ ...server, listing }]
}
