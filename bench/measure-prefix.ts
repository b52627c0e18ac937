import {
  createCatalog,
  defineAgent,
  defineSkill,
  VirtualWorkspace,
  type ExposureName,
  type ProviderName,
  type WorkspaceStep,
} from 'loadout'
import {
  type Carried,
  type HistoryMessage,
  PROVIDER_FACTS,
  type RequestSegment,
  skillInResult,
} from 'loadout/adapter'
import { asTool, realSet, serverOf } from './exposure-tools.ts'
import { counter } from './measure-pages.ts'

/** A provider, or a family of its models that does more than all of its models. */
export type MeasuredProvider = ProviderName | 'anthropic/claude-opus-4-8' | 'openai/gpt-5.4'

/** The ways of changing tools that the adapters of Loadout send to each provider. */
const CARRIED: Readonly<Record<ProviderName, readonly Carried[]>> = {
  anthropic: ['deferred', 'additions', 'removals'],
  openai: ['additions'],
  google: [],
  compatible: [],
}

const nameOf = (provider: MeasuredProvider) => provider.split('/')[0] as ProviderName

/** The part of each request that begins the next one, over one session. Shares are from 0 to 1. */
export interface PrefixFigure {
  readonly strategy: ExposureName
  readonly provider: MeasuredProvider
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
  provider: MeasuredProvider,
): Promise<PrefixFigure> {
  const workspace = await openSession(strategy, provider)
  const { order } = PROVIDER_FACTS[nameOf(provider)]
  const history: HistoryMessage[] = []
  const requests: Record<RequestSegment, string>[] = []
  let [price, lost] = [0, 0]
  for (const deed of ['think' as const, ...DEEDS]) {
    history.push({ role: 'user', content: `user: ${WORDS.repeat(3)}` })
    history.push(...(await carryOut(deed, workspace)))
    const step = await workspace.beginStep({ carries: CARRIED[nameOf(provider)], history })
    price += step.cost.price
    lost += step.cost.lost
    requests.push(requestOf(step, history))
    history.push({ role: 'assistant', content: `model: ${WORDS.repeat(3)}` })
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
  readonly provider: MeasuredProvider
  readonly strategy: string
  readonly why: string
}

export async function measureChoice(provider: MeasuredProvider): Promise<ChoiceFigure> {
  const workspace = await openSession('auto', provider)
  const { exposure } = await workspace.beginStep({ carries: CARRIED[nameOf(provider)] })
  const { strategy, why } = exposure
  await workspace.close()
  return { provider, strategy, why }
}

/**
 * Tools of real servers: skills have three tools of each of five servers, the model searches for the others.
 */
async function openSession(
  exposure: ExposureName | 'auto',
  provider: MeasuredProvider,
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
async function carryOut(
  deed: Deed,
  workspace: VirtualWorkspace,
): Promise<readonly HistoryMessage[]> {
  const call = async (tool: string, input: object): Promise<readonly HistoryMessage[]> => {
    const answer = await workspace.callTool(tool, input, { caller: 'model' })
    const data = answer.ok ? answer.data : answer.error
    return [
      { role: 'assistant', content: `call ${tool} ${JSON.stringify(input)}` },
      {
        role: 'results',
        content: `result ${JSON.stringify(data)}`,
        results: [{ call: tool, ...skillInResult(tool, data), references: toolsNamed(data) }],
      },
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

/** Returns the tools in a result of a search or of `loadSkill`, to which adapters refer there. */
function toolsNamed(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null || !('tools' in data)) return []
  const { tools } = data
  if (!Array.isArray(tools)) return []
  return tools.map((tool: { readonly name: string }) => tool.name)
}

/** Returns a request as texts, without the definitions that the provider defers. */
function requestOf(
  { tools, deferred, instructions, messages }: WorkspaceStep,
  history: readonly HistoryMessage[],
): Record<RequestSegment, string> {
  const definition = ({ name, description, inputSchema }: WorkspaceStep['tools'][number]) =>
    JSON.stringify({ name, description, inputSchema })
  const conversation = messages.map((one) => {
    switch (one.kind) {
      case 'history': {
        const { content = '', results = [] } = history[one.index] ?? {}
        const referred = results.flatMap(({ references = [] }) => references)
        return [content, ...referred.filter((name) => deferred.has(name))].join('\nreference: ')
      }
      case 'text':
        return one.text
      case 'tools':
        return [...one.additions.map(({ tool }) => definition(tool)), ...one.removals].join('\n')
    }
  })
  return {
    tools: tools
      .filter(({ name }) => !deferred.has(name))
      .map(definition)
      .join('\n'),
    instructions: `\n${instructions}`,
    conversation: `\n${conversation.join('\n')}`,
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
