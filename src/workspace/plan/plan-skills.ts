import { createCatalog } from '../../catalog/create/create-catalog.ts'
import type { Catalog } from '../../catalog/create/catalog.ts'
import { modelInvocableSkills } from '../../engine/standing/assess-skill.ts'
import { checkOptions, invalidOption } from '../../kernel/check-options.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { type Agent, defineAgent } from '../../skills/definition/define-agent.ts'
import type { GivenProvider } from '../offer/exposure/provider-facts.ts'
import type { WorkspaceOptions } from '../open/workspace-options.ts'
import {
  type Rehearsal,
  rehearseSession,
  type RehearsalSetting,
  withoutCode,
} from './rehearse-session.ts'
import { type SessionTrace, usualTraces } from './session-trace.ts'

/**
 * A way to give a model the tools of skills: all of them in every request, without skills; the skills that most
 * sessions use activated by the host at the start; loaded by the model; or found by `tool_search`.
 */
export type SkillWay = 'always' | 'activated' | 'loaded' | 'searched'

/** Options of a plan. All are optional. */
export interface SkillPlanOptions {
  /** The agent of the sessions, or its name in the catalog. */
  readonly agent?: string | Agent
  /** As in `VirtualWorkspace.open`; `compatible` when absent. */
  readonly provider?: GivenProvider
  /** As in `VirtualWorkspace.open`; `auto` when absent. */
  readonly exposure?: WorkspaceOptions['exposure']
  /** Sessions to compare the ways with, such as recorded ones; the usual ones when absent. */
  readonly traces?: readonly SessionTrace[]
  /** `o200k_base` when absent. */
  readonly tokenCounter?: TokenCounter
}

/** The cost of one way, in the mean of all sessions. */
export interface PricedWay {
  readonly way: SkillWay
  /** The cost of a session with the provider's cache, in tokens at the full input price. */
  readonly price: number
  /** The tokens of all requests of a session. */
  readonly tokens: number
  readonly requests: number
  /** The tokens of the first request. */
  readonly firstRequest: number
  /** The part of `price` that is due because a prefix was not kept. */
  readonly lost: number
  /** The strategy with which tools reach the model. */
  readonly exposure: string
}

/** A comparison of the ways, cheapest first. */
export interface SkillPlan {
  /** The cheapest way and the reason, in one sentence or two. */
  readonly advice: string
  readonly ways: readonly PricedWay[]
  /** The skills that are active from the start in the way `activated`: at least half of the sessions use them. */
  readonly activate: readonly string[]
  readonly sessions: number
  /** The number of tools that skills bring. */
  readonly tools: number
  /** Tools of the traces that the model could not get in some way, such as tools of an earlier catalog. */
  readonly unreached: readonly string[]
}

/**
 * Compares what it costs to give a model the tools of skills in each way, and says which one is cheapest.
 *
 * Every session is played in memory for each way, through the steps of a real workspace, so the prices are those
 * that `beginStep` returns for such requests. No handler, hook or model runs. Prices are those of requests: what
 * the model writes is not counted.
 *
 * Throws `AGENT_UNKNOWN`, `PROVIDER_UNKNOWN`, `EXPOSURE_UNKNOWN` and `OPTIONS_INVALID`.
 */
export async function planSkills(
  catalog: Catalog,
  options: SkillPlanOptions = {},
): Promise<SkillPlan> {
  checkOptions(options, OPTIONS)
  if (options.traces?.some(({ turns }) => turns.length > 0) === false) {
    const hint = 'Give a session in which a model was asked, or leave it out for usual ones.'
    throw invalidOption('traces', '"traces" has no turns.', hint)
  }
  const scene = await setScene(catalog, options)
  const ways = await Promise.all(
    Object.entries(scene.settings).map(async ([way, setting]) => {
      const played: Rehearsal[] = []
      for (const trace of scene.traces) played.push(await rehearseSession(trace, setting))
      const mean = (member: 'price' | 'tokens' | 'requests' | 'firstRequest' | 'lost') =>
        Math.round(played.reduce((sum, one) => sum + one[member], 0) / played.length)
      const priced: PricedWay = {
        way: way as SkillWay,
        price: mean('price'),
        tokens: mean('tokens'),
        requests: mean('requests'),
        firstRequest: mean('firstRequest'),
        lost: mean('lost'),
        exposure: played.at(-1)?.exposure ?? '',
      }
      return { priced, unreached: played.flatMap((one) => one.unreached) }
    }),
  )
  const priced = ways.map((one) => one.priced).toSorted((a, b) => a.price - b.price)
  const plan = {
    ways: priced,
    activate: scene.activate,
    sessions: scene.traces.length,
    tools: scene.tools,
    unreached: [...new Set(ways.flatMap(({ unreached }) => unreached))],
  }
  return { advice: writeAdvice(plan), ...plan }
}

const OPTIONS = {
  agent: true,
  provider: true,
  exposure: true,
  traces: true,
  tokenCounter: true,
} as const

/** Returns the sessions to play, and how they are opened for each way. */
async function setScene(
  catalog: Catalog,
  options: SkillPlanOptions,
): Promise<{
  readonly traces: readonly SessionTrace[]
  readonly activate: readonly string[]
  readonly tools: number
  readonly settings: Readonly<Partial<Record<SkillWay, RehearsalSetting>>>
}> {
  const { provider = 'compatible', exposure = 'auto', tokenCounter } = options
  const agent =
    typeof options.agent === 'string' ? catalog.agents.get(options.agent) : options.agent
  const initial = new Set(agent?.initialSkills)
  const skills = [...new Set([...initial, ...modelInvocableSkills(agent ?? null, catalog)])]
  const { traces = usualTraces(catalog, skills) } = options
  const activate = skillsOfMost(catalog, skills, traces).filter((skill) => !initial.has(skill))
  const tools = new Map(
    skills
      .flatMap((skill) => catalog.skillTools.get(skill) ?? [])
      .map(({ tool }) => [tool.name, tool]),
  )
  const common = {
    provider,
    exposure,
    ...(tokenCounter && { tokenCounter }),
  }
  const split: WorkspaceOptions = {
    ...common,
    catalog: withoutCode(catalog),
    ...(options.agent !== undefined && { agent: seeingAll(agent) ?? options.agent }),
  }
  const whole: WorkspaceOptions = {
    ...common,
    catalog: withoutCode(
      await createCatalog({
        tools: [...catalog.globalTools, ...tools.values()],
        components: [...catalog.components.values()],
        rules: [...catalog.rules.values()],
      }),
    ),
    agent: withoutSkills(agent, skills, catalog),
    metaTools: [],
  }
  const plain = { activate: [], searches: false }
  return {
    traces,
    activate,
    tools: tools.size,
    settings: {
      always: { ...plain, options: whole },
      ...(activate.length > 0 && { activated: { ...plain, activate, options: split } }),
      loaded: { ...plain, options: split },
      searched: { ...plain, searches: true, options: { ...split, discovery: {} } },
    },
  }
}

/** Returns the skills with a tool that at least half of the sessions use. */
function skillsOfMost(
  { skillTools }: Catalog,
  skills: readonly string[],
  traces: readonly SessionTrace[],
): readonly string[] {
  const used = traces.map(
    ({ turns }) =>
      new Set(turns.flat(2).map((call) => (typeof call === 'string' ? call : call.tool))),
  )
  return skills.filter((skill) => {
    const brings = skillTools.get(skill) ?? []
    const sessions = used.filter((names) => brings.some(({ tool }) => names.has(tool.name)))
    return sessions.length * 2 >= traces.length && sessions.length > 0
  })
}

/** Returns an agent that sees all of its tools, if it has to search for them. */
function seeingAll(agent: Agent | undefined): Agent | undefined {
  if (agent?.discovery === undefined) return agent
  const { hash: _, discovery: __, pinned: ___, ...profile } = agent
  return defineAgent(profile)
}

/** Returns an agent whose prompt has the instructions of its skills, and that has no skills. */
function withoutSkills(
  agent: Agent | undefined,
  skills: readonly string[],
  catalog: Catalog,
): Agent {
  const { hash: _, ...profile } = seeingAll(agent) ?? { name: 'all-tools', hash: '' }
  const texts = skills.map((skill) => catalog.skills.get(skill)?.instructions ?? '')
  return defineAgent({
    ...profile,
    prompt: [agent?.prompt ?? '', ...texts].filter((text) => text !== '').join('\n\n'),
    initialSkills: [],
    skills: [],
  })
}

type PlanFacts = Omit<SkillPlan, 'advice'>

function writeAdvice(plan: PlanFacts): string {
  const [best, next] = plan.ways
  if (best === undefined || plan.tools === 0)
    return 'No skill brings a tool: there is nothing to choose.'
  const sentence = `${plan.tools} ${plan.tools === 1 ? 'tool' : 'tools'}, ${RECOMMENDED[best.way](plan)}.`
  if (next === undefined || next.price === 0) return sentence
  const cost = `That costs ${best.price.toLocaleString('en')} tokens a session`
  const more = Math.round((next.price / best.price - 1) * 100)
  const other =
    next.way === 'activated'
      ? `activating ${listed(plan.activate)} at the start`
      : OTHERWISE[next.way]
  return `${sentence} ${cost}; ${other} costs ${more === 0 ? 'about as much' : `${more} % more`}.`
}

const RECOMMENDED: Readonly<Record<SkillWay, (plan: PlanFacts) => string>> = {
  always: () => 'used in most sessions: send all of them in every request, without skills',
  activated: ({ activate }) =>
    `of which most sessions use those of ${listed(activate)}: activate ${activate.length === 1 ? 'it' : 'them'} at the start`,
  loaded: () => 'of which a session uses few: let the model load skills',
  searched: () => 'of which a session uses few: let the model search for tools (`discovery: {}`)',
}

const OTHERWISE: Readonly<Record<Exclude<SkillWay, 'activated'>, string>> = {
  always: 'sending all tools in every request',
  loaded: 'letting the model load skills',
  searched: 'letting the model search for tools',
}

const MOST_LISTED = 5

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => `"${name}"`)
  const rest = names.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
