import {
  createCatalog,
  defineAgent,
  defineSkill,
  VirtualWorkspace,
  type ExposureName,
  type ProviderName,
  type WorkspaceStep,
} from 'loadout'
import { PROVIDER_FACTS, type RequestSegment } from 'loadout/adapter'
import { asTool, realSet, serverOf } from './exposure-tools.ts'
import { counter } from './measure-pages.ts'

/** The part of each request that begins the next one, over one session. Shares are from 0 to 1. */
export interface PrefixFigure {
  readonly strategy: ExposureName
  readonly provider: ProviderName
  readonly order: readonly RequestSegment[]
  readonly steps: number
  readonly loads: number
  readonly found: number
  /** Bytes of each request that also begin the next one, as a share of all bytes. */
  readonly kept: number
  /** The same for the tools alone. */
  readonly keptOfTools: number
  /** Bytes that were sent before, but are after a change. */
  readonly lostBytes: number
  /** The figures that the workspace logged, in tokens at the input price: all, and the lost ones. */
  readonly price: number
  readonly lost: number
}

/** The action of a model in each step after the first; `use` calls the tool that was found last. */
type Deed =
  | { readonly load: number }
  | { readonly search: string }
  | { readonly unload: number }
  | 'use'
  | 'think'

/**
 * Twenty requests: five skills are loaded, four searches find two tools each, some of the found tools are
 * called, and one skill is unloaded.
 */
const DEEDS: readonly Deed[] = [
  { load: 0 },
  { search: 'current weather forecast for a city' },
  'use',
  { load: 1 },
  { search: 'stock price history of a company' },
  'use',
  { load: 2 },
  'think',
  { search: 'search academic papers by topic' },
  'use',
  { load: 3 },
  'think',
  { search: 'create a word document' },
  'use',
  { load: 4 },
  'use',
  { unload: 1 },
  'use',
  'think',
]

/** A user's message and the model's own words, in one step. */
const WORDS = 'What comes next is a message of the usual length, as people and models write it. '

export async function measurePrefix(
  strategy: ExposureName,
  provider: ProviderName,
): Promise<PrefixFigure> {
  const workspace = await openSession(strategy, provider)
  const { order } = PROVIDER_FACTS[provider]
  // The messages of the host, and the complete conversation with the additions of the workspace.
  const said: string[] = []
  const history: string[] = []
  const requests: Record<RequestSegment, string>[] = []
  let [price, lost] = [0, 0]
  for (const deed of ['think' as const, ...DEEDS]) {
    const now = [`user and model: ${WORDS.repeat(6)}`, ...(await carryOut(deed, workspace))]
    said.push(...now)
    history.push(...now)
    const step = await workspace.beginStep({ messageTokens: counter.count(said.join('\n')) })
    price += step.cost.price
    lost += step.cost.lost
    history.push(...step.conversation.map(({ id, text }) => `${id}: ${text}`))
    history.push(...step.references.map((name) => `reference: ${name}`))
    requests.push(requestOf(step, history, provider))
  }
  const { found } = workspace.state
  await workspace.close()
  const written = requests.map((request) => order.map((segment) => request[segment]).join(''))
  const keptBytes = pairs(written).map(([before, now]) => sharedBytes(before, now))
  const tools = requests.map((request) => request.tools)
  const keptTools = pairs(tools).map(([before, now]) => sharedBytes(before, now))
  const all = (texts: readonly string[]) => sum(texts.slice(0, -1).map((text) => text.length))
  return {
    strategy,
    provider,
    order,
    steps: requests.length,
    loads: DEEDS.filter((deed) => typeof deed === 'object' && 'load' in deed).length,
    found: found.length,
    kept: sum(keptBytes) / all(written),
    keptOfTools: sum(keptTools) / all(tools),
    lostBytes: all(written) - sum(keptBytes),
    price: Math.round(price),
    lost: Math.round(lost),
  }
}

/** The strategy that the planner chooses for such a session. */
export interface ChoiceFigure {
  readonly provider: ProviderName
  readonly strategy: string
  readonly why: string
}

export async function measureChoice(provider: ProviderName): Promise<ChoiceFigure> {
  const workspace = await openSession('auto', provider)
  const { strategy, why } = workspace.ledger().exposure
  await workspace.close()
  return { provider, strategy, why }
}

/**
 * Tools of real servers: skills have three tools of each of five servers, the model searches for the others.
 */
async function openSession(
  exposure: ExposureName | 'auto',
  provider: ProviderName,
): Promise<VirtualWorkspace> {
  const servers = [...Map.groupBy(realSet.tools, serverOf)].filter(([, own]) => own.length >= 3)
  const ofSkills = servers.slice(-5)
  const taken = new Set(ofSkills.map(([server]) => server))
  const skills = ofSkills.map(([server, own], index) =>
    defineSkill({
      name: `skill-${index}`,
      description: `Work with ${server}.`,
      instructions: `Use ${server} step by step. ${WORDS.repeat(10)}`,
      tools: own.slice(0, 3).map(asTool),
    }),
  )
  const agent = defineAgent({ name: 'worker', prompt: `You help. ${WORDS.repeat(20)}` })
  const tools = realSet.tools.filter((tool) => !taken.has(serverOf(tool))).map(asTool)
  return VirtualWorkspace.open({
    catalog: await createCatalog({ skills, agents: [agent], tools }),
    agent: 'worker',
    exposure,
    provider,
    tokenCounter: counter,
    discovery: { limit: 2 },
  })
}

/**
 * Returns the messages that an action adds to the conversation: the call and its answer, as the model reads
 * them.
 */
async function carryOut(deed: Deed, workspace: VirtualWorkspace): Promise<readonly string[]> {
  const call = async (tool: string, input: object) => {
    const answer = await workspace.callTool(tool, input, { caller: 'model' })
    return [
      `call ${tool} ${JSON.stringify(input)}`,
      `result ${JSON.stringify(answer.ok ? answer.data : answer.error)}`,
    ]
  }
  if (deed === 'think') return []
  if (deed === 'use') {
    const name = workspace.state.found.at(-1)?.name ?? ''
    const isBridged = workspace.getAvailableTools().some((tool) => tool.name === 'call_tool')
    return isBridged ? call('call_tool', { name, arguments: {} }) : call(name, {})
  }
  await workspace.beginTurn()
  if ('search' in deed) return call('tool_search', { query: deed.search })
  if ('unload' in deed) return call('unloadSkill', { skillName: `skill-${deed.unload}` })
  return call('loadSkill', { skillName: `skill-${deed.load}` })
}

/** Returns a request as texts, without the deferred definitions where the provider leaves them out. */
function requestOf(
  { tools, deferred, instructions }: WorkspaceStep,
  history: readonly string[],
  provider: ProviderName,
): Record<RequestSegment, string> {
  const sent = tools.filter(({ name }) => !(PROVIDER_FACTS[provider].defers && deferred.has(name)))
  return {
    tools: sent
      .map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema }),
      )
      .join('\n'),
    instructions: `\n${instructions}`,
    conversation: `\n${history.join('\n')}`,
  }
}

function pairs<T>(list: readonly T[]): readonly (readonly [T, T])[] {
  return list.flatMap((now, index) => {
    const before = list[index - 1]
    return before === undefined ? [] : [[before, now] as const]
  })
}

function sharedBytes(before: string, now: string): number {
  let length = 0
  while (length < before.length && before[length] === now[length]) length += 1
  return length
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}
