import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { META_TOOL_NAMES } from '../../../entries/adapter.ts'
import type { Redactor } from '../../../entries/index.ts'
import { refusedSkills, wellFormed } from '../../../entries/kit.ts'
import { hideInMessages } from './hide-in-messages.ts'
import type { McpSdk } from './mcp-sdk.ts'
import type { McpServing } from './mcp-serving.ts'
import { listedTool, type McpSession } from './mcp-session.ts'
import { type ClientShares, requestPrincipal } from './client-shares.ts'
import type { ParkedExchanges } from './parked-exchanges.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import { registerResources } from './register-resources.ts'
import { ServedPrompts } from './served-prompts.ts'
import { ServedRequests } from './served-requests.ts'
import { CatalogSkills, confirmsFirst, type ServedSkills } from './catalog-skills.ts'

/** The member of `_meta` with the handle of a session, in results and in requests. */
const SESSION_META = 'loadout/session'

/** The parts that all connections of an endpoint share. */
export interface EndpointParts {
  readonly sdk: McpSdk
  readonly serving: McpServing
  readonly parked: ParkedExchanges
  readonly shares: ClientShares
  readonly served: ServedSkills
  /** Hides secrets in what clients get; undefined where the host set no rules. */
  readonly redactor: Redactor | undefined
  /** URIs that clients of 2025-11-25 subscribed to, by connection. */
  readonly subscriptions: WeakMap<McpServer, Set<string>>
}

/** The sessions behind one connection. */
export interface Connection {
  readonly isModern: boolean
  /** The session of the connection; null when each request names its own by a handle. */
  readonly own: McpSession | null
  /** The session that lists tools. */
  readonly listing: McpSession
  readonly instructions: string
  /** Runs work with the session of a handle, or with a new one. Throws for a handle that is not the principal's. */
  use<Result>(
    handle: string | undefined,
    context: ServerContext,
    work: (session: McpSession, handle: string, isNew: boolean) => Promise<Result>,
  ): Promise<Result>
}

/** Tools that get the handle of their session as an argument, where a connection has no session. */
const META_TOOLS: ReadonlySet<string> = new Set([
  ...META_TOOL_NAMES,
  'runSkillScript',
  'read_result',
])

const HANDLE = {
  type: 'string',
  description: 'The session of an earlier result. Leave it out in the first call.',
}

/** Makes the server of one connection, or of one request of 2026-07-28. */
export function makeMcpServer(parts: EndpointParts, connection: Connection): McpServer {
  const { sdk, serving, parked, served, redactor } = parts
  const { name = 'loadout', version = '1.0.0', mode = 'fixed', changes = false } = serving
  const { isModern, own, instructions } = connection
  const isLive = mode === 'live' && !isModern
  const mcp = new sdk.McpServer(
    { name, version },
    {
      capabilities: {
        tools: { listChanged: changes || isLive },
        resources: { subscribe: true, listChanged: changes || !isModern },
        prompts: { listChanged: changes },
        logging: {},
        completions: {},
      },
      ...(instructions !== '' && { instructions }),
      requestState: { verify: parked.verify },
      inputRequired: { maxRounds: 64 },
    },
  )
  if (redactor) hideInMessages(mcp, redactor)
  const requests = new ServedRequests(sdk, parked, mcp, isModern)
  const active = () => {
    const open = own?.workspace.state.open ?? []
    return new Set(open.flatMap(({ source, owner }) => (source === 'skill' ? [owner] : [])))
  }
  const { workspace } = connection.listing
  // Without the skills that no model may load, unless a person has activated them.
  const loadable = () => {
    const { catalog, state } = workspace
    const refused = refusedSkills(state.policy, catalog)
    const { leftToPeople } = catalog
    if (refused.size + leftToPeople.size === 0) return catalog.skills
    const chosen = active()
    const isKept = (one: string) => refused.has(one) || leftToPeople.has(one)
    return new Map([...catalog.skills].filter(([one]) => chosen.has(one) || !isKept(one)))
  }
  const { reading } = workspace.approvals
  const skills = new CatalogSkills(sdk, { skills: loadable, active, reading }, served, redactor)
  const onWarning = ({ path, message }: { path: string; message: string }) =>
    serving.onError?.(new Error(`${path}: ${message}`))
  new sdk.SkillsExtension({ source: skills, onWarning }).attach(mcp)
  registerResources(mcp, serving, sdk, requests, redactor)
  serveTools(mcp, parts, connection, requests)
  servePrompts(mcp, parts, connection, requests)
  serveSubscriptions(mcp, parts)
  return mcp
}

function serveSubscriptions(mcp: McpServer, { subscriptions, shares }: EndpointParts): void {
  const subscribed = new Set<string>()
  subscriptions.set(mcp, subscribed)
  mcp.server.setRequestHandler('resources/subscribe', ({ params }) => {
    const budget = new Budget('subscriptions')
    for (const uri of new Set([...subscribed, params.uri])) {
      const over = budget.take(uri.length)
      if (over !== null) throw shares.refusal(`The client has ${over}.`)
    }
    subscribed.add(params.uri)
    return {}
  })
  mcp.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
}

function serveTools(
  { server }: McpServer,
  { shares }: EndpointParts,
  { own, listing, use }: Connection,
  requests: ServedRequests,
): void {
  server.setRequestHandler('tools/list', async (_, context) => {
    shares.check(requestPrincipal(context))
    const tools = (await listing.tools()).map(listedTool)
    if (own !== null) return { tools }
    return {
      tools: tools.map((tool) => {
        if (!META_TOOLS.has(tool.name)) return tool
        const properties = { ...tool.inputSchema.properties, session: HANDLE }
        return { ...tool, inputSchema: { ...tool.inputSchema, properties } }
      }),
    }
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: given = {}, _meta: meta } = params
    // The answer to a question ends work that runs already.
    if (context.mcpReq.requestState() === undefined) shares.check(requestPrincipal(context))
    const { handle, input } = splitHandle(name, given, meta, own === null)
    return requests.answer(context, { name, given }, (access) =>
      use(handle, context, async (session, used, isNew) => {
        const called = await session.call(name, input, access)
        if (own !== null) return called
        const note = `The session of this result is "${used}". Give it as "session" in later calls.`
        const notes = isNew && META_TOOLS.has(name) ? [{ type: 'text' as const, text: note }] : []
        const _meta = { ...called._meta, [SESSION_META]: used }
        return { ...called, content: [...called.content, ...notes], _meta }
      }),
    )
  })
}

/** Takes the handle out of the arguments of a meta-tool, or out of `_meta`. */
function splitHandle(
  name: string,
  given: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>> | undefined,
  isNamed: boolean,
): { readonly handle: string | undefined; readonly input: unknown } {
  if (!isNamed) return { handle: undefined, input: given }
  const { session, ...input } = given
  const isArgument = META_TOOLS.has(name) && typeof session === 'string'
  const handle = isArgument ? session : meta?.[SESSION_META]
  return {
    handle: typeof handle === 'string' ? handle : undefined,
    input: isArgument ? input : given,
  }
}

function servePrompts(
  { server }: McpServer,
  { sdk, serving, redactor, shares }: EndpointParts,
  { own, listing: { workspace } }: Connection,
  requests: ServedRequests,
): void {
  const { reading } = workspace.approvals
  const prompts = new ServedPrompts(serving, redactor, reading)
  server.setRequestHandler('prompts/list', () => ({ prompts: wellFormed(prompts.list()) }))
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const { name, arguments: given = {} } = params
    shares.check(requestPrincipal(context))
    return requests.answer(context, { name, given }, async (access) => {
      const skill = prompts.skill(name)
      if (skill && reading(skill.name) === 'ask') throw confirmsFirst(name, 'loadSkill', sdk)
      const got = await prompts.get(name, given, access, context)
      const { ProtocolError, ProtocolErrorCode } = sdk
      if (got === null) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No prompt is named "${name}".`)
      }
      const activation = { arguments: given['arguments'] ?? '', by: 'user' as const }
      if (skill) await own?.workspace.activateSkill(skill.name, activation)
      return got
    })
  })
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
    prompts.complete(ref, argument),
  )
}
