import type { AddressInfo } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { Option } from 'commander'
import { type EventLog, WorkspaceError } from '../../../../entries/index.ts'
import type { McpEndpoint, StdioStreams } from '../../../../connections/mcp/server/serve-mcp.ts'
import { defaultLog, openLog } from '../../opening/open-log.ts'
import { openSession, type OpenSession } from '../../opening/open-session.ts'
import type { CliCommand } from '../../shell/cli-command.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { reportNotices } from '../../shell/report-diagnostics.ts'
import { numberBetween, openingOptions, type OpeningOptions } from '../../shell/opening-options.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

interface ServeOptions extends Omit<OpeningOptions, 'at' | 'activate' | 'path'> {
  readonly http?: number
  readonly host: string
  readonly live?: true
  readonly watch?: true
  readonly observe?: true
}

/** Options of a session that a server does not have: its clients activate skills. */
const LEFT_OUT: ReadonlySet<string> = new Set(['--at', '--activate', '--path'])

/** The path of the endpoint over HTTP. */
const PATH = '/mcp'

/** The addresses of this machine alone. Others may connect only with authentication. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/** `loadout mcp serve`: a workspace for clients that speak MCP. */
export const mcpServeCommand: CliCommand<ServeOptions> = {
  name: 'serve',
  summary: 'Serve skills and tools to MCP clients',
  description: `Serve the skills and tools at the paths to clients that speak the Model Context Protocol (2025-11-25 and 2026-07-28), such as Claude Desktop or VS Code. Calls go through the same checks as everywhere else, and each client has a session in the log. Needs the package @modelcontextprotocol/server.

Without --http, one client is served on standard input and output; messages to people go to standard error. With --http, the endpoint is ${PATH} at that port; --json prints its address.

By default the list of tools is fixed: the model loads skills with loadSkill and calls their tools with call_tool, which works with every client. With --live, the list follows the active skills, and clients of 2025-11-25 are notified of each change.`,
  arguments: '[paths...]',
  options: () => [
    ...openingOptions().filter(({ long }) => !LEFT_OUT.has(long ?? '')),
    new Option('--http <port>', 'Serve over HTTP at this port; 0 takes a free one').argParser(
      numberBetween(0, 65_535, true),
    ),
    new Option('--host <address>', 'With --http: listen at this address').default('127.0.0.1'),
    new Option('--live', 'Let the list of tools follow the active skills'),
    new Option('--watch', 'Read the files again when they change, and notify clients'),
    new Option(
      '--observe',
      'Serve tools that explain the sessions of agents in this folder instead, and change nothing',
    ),
  ],
  examples: [
    'loadout mcp serve --observe',
    'loadout mcp serve examples/workbench --trust --log sessions.sqlite',
    'loadout mcp serve skills --http 8931',
  ],
  async run({ words, options, context }) {
    if (options.observe === true) return serveObserver(words, options, context)
    const { log: _, session, ...others } = options
    if (session !== undefined && options.http !== undefined) {
      throw wrongUsage('--session is for one client.', 'Leave it out, or leave out --http.')
    }
    const opened = await openSession(words, others, context, 'look')
    await opened.workspace.close()
    const { http, host } = options
    const isOpen = http !== undefined && !LOOPBACK.has(host)
    if (isOpen && opened.project.config.mcp.authenticate === undefined) {
      throw wrongUsage(
        `Everyone who reaches "${host}" could call the tools.`,
        'Write mcp.authenticate in loadout.config.ts, or leave out --host.',
      )
    }
    const endpoint = await openEndpoint(opened, options, context)
    context.onEnd(() => endpoint.close())
    if (options.watch === true) await watch(endpoint, opened, context)
    if (http !== undefined) await serveHttp(endpoint, http, options, context)
    else {
      await endpoint.serveStdio({
        ...streams(context),
        ...(session !== undefined && { session }),
      })
    }
    return 0
  },
}

/** The members of options that are there by default. */
const WITH_OBSERVE: ReadonlySet<string> = new Set(['observe', 'host', 'color'])

/** Serves the tools about sessions of agents to the client that started this process, and to nobody else. */
async function serveObserver(
  words: readonly string[],
  options: ServeOptions,
  context: CliContext,
): Promise<0> {
  const others = Object.keys(options).filter((name) => !WITH_OBSERVE.has(name))
  if (words.length + others.length > 0) {
    throw wrongUsage(
      '--observe goes with no path and no other option.',
      'Run loadout mcp serve --observe in the folder of a project.',
    )
  }
  const [{ serveMcp }, { observingWorkspace }] = await Promise.all([
    import('../../../../connections/mcp/server/serve-mcp.ts'),
    import('./observing-workspace.ts'),
  ])
  const endpoint = await serveMcp({
    mode: 'live',
    workspace: await observingWorkspace(context),
    onError: ({ message }) => context.stderr.write(`loadout: ${message}\n`),
  })
  context.onEnd(() => endpoint.close())
  await endpoint.serveStdio(streams(context))
  return 0
}

/** Returns the standard input and output of the process. */
function streams({ stdin, stdout }: CliContext): StdioStreams {
  return {
    input: Readable.from(stdin, { objectMode: false }),
    output: new Writable({
      write(chunk: Buffer, _encoding, done) {
        stdout.write(chunk.toString('utf8'))
        done()
      },
    }),
  }
}

async function openEndpoint(
  { project, options: session }: OpenSession,
  { agent, mode, log: given, session: named, live, watch: changes, json }: ServeOptions,
  context: CliContext,
): Promise<McpEndpoint> {
  const { serveMcp } = await import('../../../../connections/mcp/server/serve-mcp.ts')
  const { config, catalog } = project
  const { follow: _, ...options } = session
  return serveMcp({
    ...config.mcp,
    mode: live === true ? 'live' : 'fixed',
    ...(changes && { changes }),
    workspace: {
      ...options,
      ...(await openServedLog(given, named, json === true, context)),
      policy: { permissions: config.permissions, modes: config.modes, mode },
      ...(agent !== undefined && { agent }),
      catalog,
    },
    onError: ({ message }) => context.stderr.write(`loadout: ${message}\n`),
  })
}

/** Opens the log of the sessions: the given one, or that of the user. In memory when there is neither. */
async function openServedLog(
  given: string | undefined,
  session: string | undefined,
  isJson: boolean,
  context: CliContext,
): Promise<{ readonly log?: EventLog; readonly project?: string }> {
  if (given === undefined && defaultLog(context) === null) return {}
  const open = await openLog(given, { purpose: 'write' }, context)
  if (open === null) return {}
  if (session !== undefined) {
    const { withheldNotices } = await import('../../opening/withheld-notices.ts')
    const notices = await withheldNotices(session, await open.log.read(session))
    reportNotices(notices, isJson, context)
  }
  return { log: open.log, project: open.project }
}

async function watch(
  endpoint: McpEndpoint,
  { paths, reading, project }: OpenSession,
  context: CliContext,
): Promise<void> {
  const { isSameCatalog, watchProject } = await import('../../../project/watch-project.ts')
  const watched = await watchProject(paths, { ...reading, known: project })
  context.onEnd(() => watched.close())
  let { catalog } = project
  watched.onChange((update) => {
    if (!update.ok) context.stderr.write(`loadout: ${update.problem.message}\n`)
    else if (!isSameCatalog(catalog, update.project.catalog)) {
      catalog = update.project.catalog
      void endpoint.takeCatalog(catalog)
    }
  })
}

/** Serves until the process is interrupted. */
async function serveHttp(
  endpoint: McpEndpoint,
  port: number,
  { host, json }: ServeOptions,
  { stdout, stderr, onInterrupt }: CliContext,
): Promise<void> {
  const { createServer } = await import('node:http')
  const { toNodeHandler } = await import('@modelcontextprotocol/node').catch((cause: unknown) => {
    throw new WorkspaceError(
      'PACKAGE_MISSING',
      'MCP over HTTP requires the package "@modelcontextprotocol/node".',
      { cause, hint: 'Install it: npm install @modelcontextprotocol/node.' },
    )
  })
  const handle = toNodeHandler(endpoint)
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    const isAddress = URL.canParse(`http://${request.headers.host ?? ''}`)
    if (!isAddress) response.writeHead(400).end('The Host header is no host.\n')
    else if (path === PATH) void handle(request as never, response as never)
    else response.writeHead(404).end()
  })
  const interrupted = Promise.withResolvers<void>()
  server.once('error', interrupted.reject)
  const forget = onInterrupt(interrupted.resolve)
  server.listen(port, host, () => {
    const { port: taken } = server.address() as AddressInfo
    const name = host.includes(':') ? `[${host}]` : host
    const url = `http://${name}:${taken}${PATH}`
    if (json === true) stdout.write(jsonText({ url }))
    else stderr.write(`loadout: serving MCP at ${url}\n`)
  })
  await interrupted.promise
  forget()
  server.close()
  server.closeAllConnections()
}
