import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import {
  type Diagnostic,
  type Tool,
  type Verdict,
  WorkspaceError,
} from '../../../../entries/index.ts'
import { providerSchema } from '../../../../entries/adapter.ts'
import { sanitiseLine, thrownMessage, type ToolServer } from '../../../../entries/kit.ts'
import type { OpenServerFile } from '../../../project/servers/open-server-files.ts'
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
  /** The file that has it. */
  readonly file: string
  readonly runs: string
  readonly server?: ToolServer
  readonly listing?: ToolServer['listing']
  /** Of the connection that listed its tools, which has ended. */
  readonly health?: Omit<NonNullable<Verdict['health']>, 'since'>
  readonly problem?: string
}

/**
 * Reads the servers of a file, of the given folders, or of all files of the project and the home, and, with `--trust`,
 * connects to each to list its tools. Without it nothing is started and nothing is connected. A file that cannot be read
 * is listed with the reason.
 */
export async function listServers(
  words: readonly string[],
  options: ServersOptions,
  context: CliContext,
): Promise<readonly ServerReport[]> {
  const isTrusted = options.trust === true
  const { files, unread } = await serverFiles(words, options, context)
  const listed = files.flatMap(({ file, servers }) =>
    servers.map(async ({ name, server, runs, problem }): Promise<ServerReport> => {
      const known = { name: server.name, file, runs }
      if (!isTrusted) {
        return {
          ...known,
          server,
          problem: 'It was not connected. Read its command, then add --trust.',
        }
      }
      if (problem !== undefined) return { ...known, name, problem: problem.message }
      const end = new AbortController()
      context.onEnd(async () => end.abort())
      try {
        const host = { signal: end.signal, onListing: () => undefined, onLost: () => undefined }
        const connection = await server.connect(host)
        await connection.close()
        const { listing } = connection
        const endless = listing.isEndless ? listing.leftOut.at(-1)?.reason : undefined
        const status = endless === undefined ? 'connected' : 'endless-pages'
        const health = healthNow(server, status, endless, connection.stderr?.() ?? [])
        return { ...known, server, listing, health }
      } catch (error) {
        const problem = thrownMessage(error)
        const written = WorkspaceError.is(error) ? error.facts['stderr'] : undefined
        const stderr = Array.isArray(written) ? (written as string[]) : []
        const health = healthNow(server, 'not-connected', problem, stderr)
        return { ...known, server, problem, health }
      }
    }),
  )
  const faults = unread.map(({ file = '', message }) => {
    return { name: relative(context.cwd, file), file, runs: '', problem: message }
  })
  return [...(await Promise.all(listed)), ...faults]
}

function healthNow(
  { name: server, withheld = [] }: ToolServer,
  status: NonNullable<Verdict['health']>['status'],
  problem: string | undefined,
  stderr: readonly string[],
): NonNullable<ServerReport['health']> {
  return { server, status, problem: problem ?? null, stderr, withheld }
}

async function serverFiles(
  words: readonly string[],
  { file, trust, env: environment = [] }: ServersOptions,
  { cwd, home, env }: CliContext,
): Promise<{
  readonly files: readonly OpenServerFile[]
  readonly unread: readonly Pick<Diagnostic, 'file' | 'message'>[]
}> {
  const [{ serversOfSource }, { loadServerSource, NO_SERVERS, serverFilesIn }] = await Promise.all([
    import('../../../project/servers/read-servers.ts'),
    import('../../../project/servers/server-source.ts'),
  ])
  const trusted = trust === true
  const read = async (path: string): Promise<OpenServerFile> => {
    const source = await loadServerSource(path, [cwd])
    return { file: path, servers: serversOfSource(source, { environment, env, trusted }) }
  }
  if (file !== undefined) return { files: [await read(resolve(cwd, file))], unread: [] }
  const { openProject } = await import('../../../project/folders/open-project.ts')
  const paths = words.map((word) => resolve(cwd, word))
  const project = await openProject(paths, { project: cwd, home, trusted, env, environment })
  const unread: Pick<Diagnostic, 'file' | 'message'>[] = project.diagnostics.filter(
    ({ code }) => code === 'servers-invalid',
  )
  const ofHome = home === null || words.length > 0 ? [] : serverFilesIn(home, 'home')
  const found = ofHome.map(async (path) => {
    if ((await stat(path).catch(() => null)) === null) return []
    return read(path).catch((error: unknown) => {
      if (!WorkspaceError.is(error)) throw error
      // Files of clients that have no servers are nothing to report.
      if (!error.message.endsWith(NO_SERVERS)) unread.push({ file: path, message: error.message })
      return []
    })
  })
  return { files: [...project.serverFiles, ...(await Promise.all(found)).flat()], unread }
}

/** Writes the servers whose tools are not known, with the reasons. Returns true when there are some. */
export function writeProblems(servers: readonly ServerReport[], context: CliContext): boolean {
  const failed = servers.filter(({ problem }) => problem !== undefined)
  if (servers.length === 0) {
    context.stderr.write('loadout: no server was found.\n')
    context.stderr.write('  Give a folder, or a file that has servers: --file <path>.\n')
  }
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

/** Lists what the schema of a tool has otherwise in requests to each provider. */
export function schemaChanges({ inputSchema }: Tool) {
  return (['openai', 'anthropic', 'gemini'] as const).flatMap((provider) =>
    providerSchema(inputSchema, provider).losses.map((loss) => ({ provider, ...loss })),
  )
}
