import { createCatalog, VirtualWorkspace } from 'loadout'
import { mcpServer, type McpServerOptions } from 'loadout/mcp'
import { oauthFetch } from './oauth-fetch.ts'

/** A scenario of the conformance suite, with the server that it started. */
export interface ClientScenario {
  readonly name: string
  /** The address of the server. */
  readonly url: string
  readonly revision: string
  readonly context: ScenarioContext
}

interface ScenarioContext {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[]
  readonly client_id?: string
  readonly client_secret?: string
}

/** Arguments of tools whose schema does not say enough. */
const INPUTS: ReadonlyMap<string, object> = new Map([
  ['add_numbers', { a: 5, b: 3 }],
  ['read_resource', { uri: 'file:///path/to/file%20name.txt' }],
  ['get_prompt', { name: 'test_prompt' }],
])

/** Servers of these scenarios do not answer the first request of the revision. It is answered for them. */
const WITHOUT_DISCOVERY = /^(?:http-|sep-2322)/u

/** A limit for a scenario that never ends, not for one on a busy machine. */
const LONG_MS = 300_000

/**
 * The client that the conformance suite runs: a workspace that attaches the server of a scenario and calls its tools.
 * Returns the results, or null if the server cannot be attached.
 */
export async function runScenario(scenario: ClientScenario): Promise<readonly string[] | null> {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({}),
    metaTools: [],
    client: {
      elicit: async (question) => {
        const { properties = {} } = 'schema' in question ? question.schema : {}
        const confirmed = 'confirmed' in (properties as object) ? { confirmed: true } : {}
        return { action: 'accept', content: confirmed }
      },
      sample: async () => ({ model: 'none', content: { type: 'text', text: 'Yes.' } }),
    },
  })
  const attached = await workspace.attach(mcpServer(optionsOf(scenario)))
  const results: string[] = []
  if (attached.ok) {
    for (const [name, input] of callsOf(scenario, workspace)) {
      const result = await workspace.callTool(name, input)
      results.push(`${name} ${JSON.stringify(result.ok ? result.data : result.error)}`)
    }
  }
  await workspace.close()
  return attached.ok ? results : null
}

function optionsOf({ name, url, revision, context }: ClientScenario): McpServerOptions {
  return {
    name: 'server',
    prefix: '',
    url,
    revision: revision === '2026-07-28' ? 'auto' : '2025-11-25',
    resources: true,
    prompts: true,
    roots: [process.cwd()],
    sampling: { maxCalls: 5, maxTokens: 100 },
    connectTimeoutMs: LONG_MS,
    ...(name.startsWith('auth/') && { revision: 'auto', fetch: oauthFetch(url, context) }),
    ...(WITHOUT_DISCOVERY.test(name) && { revision: 'auto', fetch: discovered }),
  }
}

/** The calls of a scenario: those that it asks for, else each tool once. */
function callsOf(
  { context }: ClientScenario,
  workspace: VirtualWorkspace,
): readonly (readonly [string, object])[] {
  if (context.toolCalls) {
    return context.toolCalls.map((one) => [one.name, withoutNulls(one.arguments)] as const)
  }
  const tools = workspace.getAvailableTools()
  return tools.map(({ name, inputSchema }) => [name, INPUTS.get(name) ?? inputFor(inputSchema)])
}

/** Leaves out arguments without a value: the gate refuses a null that the schema does not allow. */
function withoutNulls(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
}

/** Arguments that fit a plain schema. */
function inputFor({ properties = {} }: { readonly properties?: object }): object {
  const entries = Object.entries(properties as Record<string, { type?: unknown }>)
  return Object.fromEntries(
    entries.flatMap(([name, { type }]) => {
      if (name === 'region') return [[name, 'us-west1']]
      if (type === 'object') return [[name, {}]]
      return type === 'string' ? [[name, 'text']] : type === 'number' ? [[name, 1]] : []
    }),
  )
}

/** Makes a request, or answers the question for the revisions of the server. */
async function discovered(input: string | URL, init?: RequestInit): Promise<Response> {
  const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Message) : {}
  if (body.method !== 'server/discover') return fetch(input, init)
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} }
  const result = {
    supportedVersions: ['2026-07-28'],
    capabilities,
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'server', version: '1.0.0' } },
  }
  return Response.json({ jsonrpc: '2.0', id: body.id, result })
}

interface Message {
  readonly method?: string
  readonly id?: unknown
}
