import {
  createCatalog,
  createRedactor,
  type PolicyOptions,
  type Redactor,
  type Tool,
  ToolError,
  toolsFrom,
  type ToolContext,
  VirtualWorkspace,
  type WorkspaceOptions,
} from '../../../entries/index.ts'
import {
  checkOptions,
  isObject,
  type OptionsOf,
  serialQueue,
  tryOrUndefined,
  usableToolName,
} from '../../../entries/kit.ts'
import { DEFAULT_CALL_LIMITS } from '../../../workspace/calls/request/call-limits.ts'
import { type AskingServer, ClientQuestion } from './client-question.ts'
import {
  failure,
  type GatedRequest,
  gateTransport,
  type TransportGate,
  type WireAnswer,
  type WireTransport,
} from './gate-transport.ts'
import { hiddenMembers } from './hide-in-messages.ts'
import { CLIENT_LIMITS } from './mcp-serving.ts'

/** The options of `behindLoadout`: those of a workspace whose tools a server has, and its rules. */
export interface BehindOptions
  extends
    Pick<
      WorkspaceOptions,
      'session' | 'project' | 'log' | 'principal' | 'approvals' | 'budget' | 'limits' | 'redact'
    >,
    Pick<PolicyOptions, 'callsPerTurn'> {
  /** Rules that deny calls or ask first. A call that none of them is about runs, whatever its tool says of its risk. */
  readonly permissions?: PolicyOptions['permissions']
}

const BEHIND_OPTIONS: OptionsOf<BehindOptions> = {
  session: 'text',
  project: 'text',
  log: true,
  principal: 'object',
  approvals: 'object',
  budget: 'object',
  limits: 'object',
  redact: 'object',
  callsPerTurn: 'object',
  permissions: 'object',
}

/** A server of an SDK: what `McpServer` has as `server`. */
export interface LowServer extends AskingServer {
  readonly transport?: object | undefined
  onclose?: (() => void) | undefined
  connect(transport: never): Promise<void>
  sendToolListChanged(): Promise<void>
}

/** A server that is behind a workspace. */
export interface GatedServer {
  /** Its rules, its log, and the reasons why a tool can be called or not. */
  readonly workspace: VirtualWorkspace
  /** Closes the workspace; every later call is refused. Close the server yourself. */
  close(): Promise<void>
}

/**
 * Puts the tools of a server of MCP behind a workspace: each call passes its rules, questions, budgets and log, and then
 * runs in the server. The server stays what its author made: its list of tools, its results, and everything that is not
 * a tool. Only tools that a rule denies are left out of the list.
 *
 * It is for servers of `@modelcontextprotocol/server` 2 and of `@modelcontextprotocol/sdk` 1, and works between the
 * server and its transport, because neither SDK gives out the handlers that it has installed.
 *
 *     const server = new McpServer({ name: 'files', version: '1.0.0' })
 *     registerTools(server)
 *     await behindLoadout(server, { permissions: { ask: [{ tool: 'write_file' }] } })
 *     await server.connect(new StdioServerTransport())
 */
export async function behindLoadout(
  server: LowServer | { readonly server: LowServer },
  options: BehindOptions = {},
): Promise<GatedServer> {
  checkOptions(options, BEHIND_OPTIONS)
  const low = 'server' in server ? server.server : server
  const { permissions, callsPerTurn, limits, ...others } = options
  const workspace = await VirtualWorkspace.open({
    ...others,
    catalog: await createCatalog({}),
    metaTools: [],
    limits: { ...CLIENT_LIMITS, ...limits },
    policy: {
      // Its hints are for clients. Without a rule, no question is asked because of them.
      permissions: { ...permissions, allow: [...(permissions?.allow ?? []), '*'] },
      ...(callsPerTurn && { callsPerTurn }),
    },
  })
  const gate = new ServerGate(low, workspace, options)
  await gate.open()
  return { workspace, close: () => workspace.close() }
}

/** A tool as its server lists it. */
type ListedTool = Readonly<Record<string, unknown>> & { readonly name: string }

interface KnownTool {
  /** Its name in the workspace. */
  readonly name: string
  readonly listed: string
}

type Ask = (method: string, params: GatedRequest['params']) => Promise<WireAnswer>

class ServerGate {
  readonly #server: LowServer
  readonly #workspace: VirtualWorkspace
  readonly #redactor: Redactor | undefined
  readonly #waitMs: number
  /** By the names that the server gives. */
  readonly #tools = new Map<string, KnownTool>()
  readonly #gate: TransportGate = {
    methods: new Map([
      ['tools/list', (request) => this.#list(request)],
      ['tools/call', (request) => this.#call(request)],
    ]),
    onListChanged: () => (this.#reading = undefined),
  }
  readonly #inTurn = serialQueue()
  /** The reading of the list of the server; undefined when the list may have changed since. */
  #reading: Promise<void> | undefined

  constructor(
    server: LowServer,
    workspace: VirtualWorkspace,
    { redact, limits }: Pick<BehindOptions, 'redact' | 'limits'>,
  ) {
    this.#server = server
    this.#workspace = workspace
    this.#redactor = redact && createRedactor(redact)
    this.#waitMs = limits?.confirmationMs ?? DEFAULT_CALL_LIMITS.confirmationMs
  }

  /** Reads the tools of the server, and gates every transport that it connects to. */
  async open(): Promise<void> {
    const server = this.#server
    const { connect } = server
    if (server.transport === undefined) await this.#readUnconnected()
    else gateTransport(server.transport as WireTransport, this.#gate)
    server.connect = (given) => {
      const transport: WireTransport = given
      const { start } = transport
      // When a transport starts, the server has set its listeners.
      transport.start = () => {
        transport.start = start
        this.#reading = undefined
        gateTransport(transport, this.#gate)
        return start.call(transport)
      }
      return connect.call(server, given)
    }
    this.#notifyOfRules()
  }

  /** Reads the tools of a server that has no client yet. */
  async #readUnconnected(): Promise<void> {
    const { onclose } = this.#server
    const nowhere: WireTransport = {
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(nowhere.onclose?.()),
    }
    await this.#server.connect(nowhere as never)
    const ask = gateTransport(nowhere, { methods: new Map(), onListChanged: () => {} })
    await this.#read(ask)
    // Its author waits for the end of a connection with a client.
    Object.assign(this.#server, { onclose: undefined })
    await nowhere.close()
    Object.assign(this.#server, { onclose })
  }

  /** Notifies the client when rules deny other tools than before. */
  #notifyOfRules(): void {
    let { policy } = this.#workspace.state
    let denied = [...this.#denied()].join()
    this.#workspace.subscribe(() => {
      if (policy === this.#workspace.state.policy) return
      policy = this.#workspace.state.policy
      const before = denied
      denied = [...this.#denied()].join()
      if (denied === before || this.#server.transport === undefined) return
      this.#server.sendToolListChanged().catch(() => undefined)
    })
  }

  async #list(request: GatedRequest): Promise<WireAnswer> {
    const answer = await request.pass()
    const { tools } = answer.result ?? {}
    if (!Array.isArray(tools)) return answer
    await this.#refresh(request)
    await this.#take(tools.filter(isListed), false).catch(() => undefined)
    const denied = this.#denied()
    const shown = tools.filter((one) => !isListed(one) || !denied.has(this.#ruledName(one.name)))
    if (shown.length === tools.length) return answer
    return { ...answer, result: { ...answer.result, tools: shown } }
  }

  async #call(request: GatedRequest): Promise<WireAnswer> {
    const { name, arguments: input = {} } = request.params
    await this.#refresh(request)
    if (!this.#tools.has(String(name))) {
      this.#reading = undefined
      await this.#refresh(request)
    }
    // A tool that is not listed has no rules, so it never runs.
    if (!this.#tools.has(String(name))) return failure(-32_602, `Tool ${String(name)} not found`)
    const question = new ClientQuestion(this.#server, this.#waitMs, this.#workspace, request)
    let own: WireAnswer | undefined
    const run: Run = async () => {
      own = await request.pass(question.paramsForServer())
      return resultForLog(own)
    }
    const response = await this.#workspace.callTool(this.#ruledName(String(name)), input, {
      caller: 'model',
      signal: request.signal,
      services: run,
      approve: (asked, { signal }) => question.ask(asked, input, signal),
    })
    const isOwn = response.ok || own?.error !== undefined || own?.result?.['isError'] === true
    if (own !== undefined && isOwn) return this.#hidden(own)
    return this.#hidden({ result: question.result(response) })
  }

  #hidden(answer: WireAnswer): WireAnswer {
    const { result, error } = answer
    if (this.#redactor === undefined) return answer
    const hidden = hiddenMembers(this.#redactor)
    return {
      ...answer,
      ...(result && { result: hidden(result) }),
      ...(error && { error: hidden(error) }),
    } as WireAnswer
  }

  #ruledName(name: string): string {
    return this.#tools.get(name)?.name ?? name
  }

  #denied(): ReadonlySet<string> {
    const rows = this.#workspace.tools()
    return new Set(rows.flatMap(({ name, status }) => (status === 'denied' ? name : [])))
  }

  /** Reads the list again if it may have changed, in the place of the client that makes a request. */
  #refresh({ ask, params }: GatedRequest): Promise<void> {
    const { progressToken: _, ...meta } = isObject(params['_meta']) ? params['_meta'] : {}
    const read = () => this.#read((method, given) => ask(method, { ...given, _meta: meta }))
    return (this.#reading ??= read().catch(() => undefined))
  }

  /** Reads all pages of the list. Of a server without tools, it has none. */
  async #read(ask: Ask): Promise<void> {
    const listed: ListedTool[] = []
    let cursor: unknown
    do {
      const page = await ask('tools/list', cursor === undefined ? {} : { cursor })
      const { tools, nextCursor } = page.result ?? {}
      if (Array.isArray(tools)) listed.push(...tools.filter(isListed))
      cursor = nextCursor
    } while (cursor !== undefined && listed.length < MOST_TOOLS)
    await this.#take(listed, true)
  }

  /**
   * Registers tools that are new, and those that have changed. Throws for one that no workspace can have, after the others:
   * it has no rules, so its calls are refused.
   *
   * @param areAll true to remove the others
   */
  #take(tools: readonly ListedTool[], areAll: boolean): Promise<void> {
    return this.#inTurn(async () => {
      const names = new Set(tools.map(({ name }) => name))
      for (const [name, known] of areAll ? this.#tools : []) {
        if (names.has(name)) continue
        this.#tools.delete(name)
        await this.#workspace.unregisterTool(known.name)
      }
      let refused: unknown
      for (const tool of tools) {
        const known = this.#tools.get(tool.name)
        const listed = JSON.stringify(tool)
        if (known?.listed === listed) continue
        if (known !== undefined) await this.#workspace.unregisterTool(known.name)
        this.#tools.delete(tool.name)
        try {
          const made = gatedTool(tool)
          const outcome = await this.#workspace.registerTool(made)
          if (outcome.ok) this.#tools.set(tool.name, { name: made.name, listed })
        } catch (error) {
          refused ??= error
        }
      }
      if (refused !== undefined) throw refused
    })
  }
}

/** The most tools of a list that does not end. */
const MOST_TOOLS = 10_000

/** Runs the call in its server. */
type Run = () => Promise<unknown>

function isListed(value: unknown): value is ListedTool {
  return isObject(value) && typeof value['name'] === 'string'
}

/** Makes the tool for the rules. Its server checks the arguments, and answers those that do not fit. */
function gatedTool({ inputSchema, ...listed }: ListedTool): Tool {
  const make = (schema: unknown) => {
    const name = usableToolName(listed.name) ?? listed.name
    const given = { ...listed, name, inputSchema: schema, outputSchema: undefined }
    const options = {
      execute: (_name: string, _input: unknown, context: ToolContext) =>
        (context.services as Run)(),
      trusted: true,
    }
    const [tool] = toolsFrom([given], options)
    return tool as Tool
  }
  const made = tryOrUndefined(() => make(inputSchema)) ?? make({ type: 'object' })
  const parseInput: Tool['parseInput'] = async (value) => {
    const parsed = await made.parseInput(value as never)
    return parsed.ok ? parsed : { ok: true, value }
  }
  return Object.freeze({ ...made, parseInput })
}

/** Reads the answer of a server for the log. Throws a `ToolError` for a failure. */
function resultForLog({ result = {}, error }: WireAnswer): unknown {
  if (error !== undefined) throw new ToolError('PERMANENT', error.message)
  const { content, structuredContent, isError } = result
  if (isError === true) {
    const parts: readonly unknown[] = Array.isArray(content) ? content : []
    const texts = parts.flatMap((part) => (isObject(part) && part['text']) || [])
    throw new ToolError('PERMANENT', texts.join('\n') || 'The tool failed.')
  }
  if (!Array.isArray(content)) return result
  return { content, ...(structuredContent !== undefined && { structuredContent }) }
}
