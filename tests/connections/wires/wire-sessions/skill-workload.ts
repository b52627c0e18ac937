import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import {
  createCatalog,
  defineAgent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Catalog,
  type Tool,
  type WorkspaceOptions,
} from 'loadout'
import { planSkills, type SessionTrace, type SkillPlan, type SkillWay } from 'loadout/plan'
import { z } from 'zod'
import { type PromptPart, promptParts } from '../../../wires/compare/prompt-parts.ts'
import type { Answer, WireCall } from '../../../wires/server/answer.ts'
import { openWireServer, type WireRequest } from '../../../wires/server/open-wire-server.ts'
import { isObject, objectsOf, textOf, type Violation } from '../../../wires/wire.ts'
import { AI_SDK_DRIVERS } from './ai-sdk-drivers.ts'
import type { WireDriver } from './wire-driver.ts'

/** The prices of a provider, as its pages say them: shares of the full input price. */
interface Prices {
  readonly minimum: number
  readonly grain: number
  readonly read: number
  readonly write: number
}

const ANTHROPIC: Prices = { minimum: 1024, grain: 1, read: 0.1, write: 1.25 }
const OPENAI: Prices = { minimum: 1024, grain: 128, read: 0.1, write: 1.25 }
const COMPATIBLE: Prices = { minimum: 1024, grain: 1, read: 0.5, write: 1 }

/** The models, with the drivers of the AI SDK that send their requests. */
const MODELS = [
  { model: 'openai/gpt-5.4', driver: 'AI SDK, OpenAI', prices: OPENAI },
  {
    model: 'anthropic/claude-haiku-4-5',
    driver: 'AI SDK, Anthropic, older model',
    prices: ANTHROPIC,
  },
  { model: 'compatible', driver: 'AI SDK, compatible', prices: COMPATIBLE },
  { model: 'anthropic/claude-opus-4-8', driver: 'AI SDK, Anthropic', prices: ANTHROPIC },
  { model: 'openai/gpt-4.1', driver: 'AI SDK, OpenAI, older model', prices: OPENAI },
] as const

const CATALOGS = [
  { catalog: 'small agent', skills: [5, 6] },
  { catalog: '42 tools', skills: Array.from({ length: 7 }, () => 6) },
  { catalog: '500 tools', skills: Array.from({ length: 50 }, () => 10) },
] as const

const SESSIONS = 3

const digits = (number: number) => String(number).padStart(2, '0')
const nameOf = (skill: number, tool: number) => `do_${digits(skill)}_${digits(tool)}`

/** Four ways in which people use an agent: the calls of each turn of a session, one after another. */
const USES: Readonly<
  Record<string, (session: number, skills: readonly number[]) => readonly (readonly string[])[]>
> = {
  'many skills': (_, skills) =>
    [0, 1, 2, 3, 4, 5].map((turn) => {
      const skill = turn % skills.length
      const tools = skills[skill] ?? 1
      return [0, 1, 2].map((call) => nameOf(skill, (turn + call) % tools))
    }),
  'another skill each time': (session, skills) =>
    [0, 1, 2, 3].map((turn) => {
      const skill = Math.floor((session * skills.length) / SESSIONS)
      return [0, 1].map((call) => nameOf(skill, (turn + call) % (skills[skill] ?? 1)))
    }),
  'always the same skill': (_, skills) =>
    [0, 1, 2, 3].map((turn) =>
      [0, 1, 2].map((call) => nameOf(1, (turn + call) % (skills[1] ?? 1))),
    ),
  'one call at the end': (session, skills) => [[], [], [nameOf(session % skills.length, 2)]],
}

/** A catalog, the way in which it is used, and a model. */
export interface SkillWorkload {
  readonly name: string
  readonly model: (typeof MODELS)[number]
  readonly skills: readonly number[]
  /** The turns of each session. */
  readonly sessions: readonly (readonly (readonly string[])[])[]
}

/** Three catalogs, each used in four ways, with a model for each in turn. */
export const SKILL_WORKLOADS: readonly SkillWorkload[] = CATALOGS.flatMap(({ catalog, skills }) =>
  Object.entries(USES).map(([use, turns]) => ({
    name: `${catalog}, ${use}`,
    skills,
    sessions: Array.from({ length: SESSIONS }, (_, session) => turns(session, skills)),
  })),
).map((workload, index) => ({ ...workload, model: MODELS[index % MODELS.length] ?? MODELS[0] }))

/** The plan for a workload, and the price of each way as the bodies on the socket have it. */
export interface MeasuredWorkload {
  readonly plan: SkillPlan
  readonly measured: readonly { readonly way: SkillWay; readonly price: number }[]
  readonly requests: number
  readonly violations: readonly Violation[]
}

const RESULT = 'What the tool returns is a text of the usual length. '.repeat(20)

/** Plans a workload, and then runs its sessions in each way over a socket. */
export async function measureWorkload(workload: SkillWorkload): Promise<MeasuredWorkload> {
  const tools = workload.skills.map((count, skill) =>
    Array.from({ length: count }, (_, tool) => toolOf(skill, tool)),
  )
  const catalog = await skillCatalog(tools)
  const tokens = countTokens(JSON.stringify(RESULT))
  const traces = workload.sessions.map((turns): SessionTrace => ({
    turns: turns.map((calls) => calls.map((tool) => ({ tool, tokens }))),
    words: countTokens(messageOf(0)) + countTokens(ANSWER),
  }))
  const plan = await planSkills(catalog, {
    agent: 'worker',
    provider: workload.model.model,
    traces,
  })
  const bySkill = new Map(
    tools.flatMap((all, skill) => all.map(({ name }) => [name, `skill-${skill}`])),
  )
  const measured: { way: SkillWay; price: number }[] = []
  const violations: Violation[] = []
  let requests = 0
  for (const { way } of plan.ways) {
    let price = 0
    for (const turns of workload.sessions) {
      const options =
        way === 'always'
          ? { catalog: await wholeCatalog(tools), agent: 'worker', metaTools: [] }
          : { catalog, agent: 'worker', ...(way === 'searched' && { discovery: {} }) }
      const activate = way === 'activated' ? plan.activate : []
      const run = await runSession(turns, { options, activate, way, bySkill, ...workload })
      price += priceOf(run.requests, workload.model.prices) / workload.sessions.length
      requests += run.requests.length
      violations.push(...run.violations)
    }
    measured.push({ way, price: Math.round(price) })
  }
  return { plan, measured: measured.toSorted((a, b) => a.price - b.price), requests, violations }
}

const SUBJECTS = ['invoices', 'letters', 'maps', 'songs', 'orders', 'tests', 'images', 'users']
const DEEDS = [
  'List',
  'Create',
  'Remove',
  'Compare',
  'Rename',
  'Translate',
  'Archive',
  'Count',
  'Sort',
  'Print',
]

function sentenceOf(skill: number, tool: number): string {
  return `${DEEDS[tool % DEEDS.length]} the ${SUBJECTS[skill % SUBJECTS.length]} of branch ${skill}.`
}

function toolOf(skill: number, tool: number): Tool {
  return defineTool({
    name: nameOf(skill, tool),
    description: `${sentenceOf(skill, tool)} It takes its input as the schema says, and returns what was done. Fails if there is none.`,
    category: 'retrieval',
    inputSchema: z.object({
      path: z.string().describe('The path of the file, relative to the folder of the project.'),
      count: z.int().optional().describe('How many at most; all of them by default.'),
    }),
    execute: () => RESULT,
  })
}

const INSTRUCTIONS = 'Look before you change anything, and say what you did. '.repeat(6)

const AGENT = defineAgent({ name: 'worker', prompt: 'You help in an office. '.repeat(10) })

function skillCatalog(tools: readonly (readonly Tool[])[]): Promise<Catalog> {
  return createCatalog({
    skills: tools.map((all, skill) =>
      defineSkill({
        name: `skill-${skill}`,
        description: `Works with the ${SUBJECTS[skill % SUBJECTS.length]} of branch ${skill}.`,
        instructions: INSTRUCTIONS,
        tools: all,
      }),
    ),
    agents: [AGENT],
  })
}

/** The catalog of a host without skills: all tools, and a prompt with all instructions. */
function wholeCatalog(tools: readonly (readonly Tool[])[]): Promise<Catalog> {
  const prompt = [AGENT.prompt, ...tools.map(() => INSTRUCTIONS)].join('\n\n')
  return createCatalog({ tools: tools.flat(), agents: [defineAgent({ name: 'worker', prompt })] })
}

interface SessionSetting {
  readonly options: Pick<WorkspaceOptions, 'catalog' | 'agent' | 'metaTools' | 'discovery'>
  readonly activate: readonly string[]
  readonly way: SkillWay
  readonly bySkill: ReadonlyMap<string, string>
  readonly model: SkillWorkload['model']
}

async function runSession(
  turns: SkillWorkload['sessions'][number],
  { options, activate, way, bySkill, model }: SessionSetting,
): Promise<{
  readonly requests: readonly WireRequest[]
  readonly violations: readonly Violation[]
}> {
  const driver = AI_SDK_DRIVERS.find(({ name }) => name === model.driver) as WireDriver
  const answers = scriptedModel(turns, way, bySkill)
  const server = await openWireServer({ answers })
  try {
    const workspace = await VirtualWorkspace.open({ ...options, ...driver.options })
    for (const skill of activate) (await workspace.activateSkill(skill)).orThrow()
    const conversation = driver.converse(server.url, {})
    for (const [turn] of turns.entries()) {
      await conversation.turn(workspace, messageOf(turn), new AbortController().signal)
    }
    await workspace.close()
    return { requests: server.requests, violations: server.violations }
  } finally {
    await server.close()
  }
}

function messageOf(turn: number): string {
  return `Message ${turn} of the user: please do what has to be done next, and tell me.`
}

const ANSWER = 'It is done, as you asked. '.repeat(15)

/** A model that calls what its script says, once it can see the tool, and gets it first when it cannot. */
function scriptedModel(
  turns: SkillWorkload['sessions'][number],
  way: SkillWay,
  bySkill: ReadonlyMap<string, string>,
): (request: WireRequest) => Answer {
  const script = turns.flatMap((calls) => [...calls, null])
  let [at, tries, made] = [0, 0, 0]
  return ({ wire, body }) => {
    const tool = script[at] ?? null
    if (tool === null) {
      at += 1
      return ANSWER
    }
    const visible = promptParts(wire, body).some(({ text }) => text.includes(tool))
    if (!visible && tries < 2) {
      tries += 1
      return [wayTo(tool, way === 'searched' && tries === 1, bySkill)]
    }
    at += 1
    tries = 0
    made += 1
    const input = { path: `folder/of/the/project/file-${made}.txt`, count: made }
    const sent = objectsOf(body.tools).flatMap((one) => objectsOf([one, one.function]))
    const names = new Set(sent.map((one) => textOf(one, 'name')))
    const isBridged = names.has('call_tool') && !names.has(tool)
    return isBridged
      ? [{ name: 'call_tool', input: { name: tool, arguments: input } }]
      : [{ name: tool, input }]
  }
}

function wayTo(tool: string, searches: boolean, bySkill: ReadonlyMap<string, string>): WireCall {
  const [, skill = '', at = ''] = tool.split('_')
  return searches
    ? { name: 'tool_search', input: { query: sentenceOf(Number(skill), Number(at)) } }
    : { name: 'loadSkill', input: { skillName: bySkill.get(tool) } }
}

const counted = new Map<string, number>()

/** Counts a definition as JSON, and a text as the model reads it, without the escapes of JSON. */
function tokensIn({ segment, text }: PromptPart): number {
  const known = counted.get(text)
  if (known !== undefined) return known
  const read = segment === 'tools' ? [text] : textsIn(JSON.parse(text))
  const tokens = read.reduce((sum, one) => sum + countTokens(one), 0)
  counted.set(text, tokens)
  return tokens
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return isObject(value.input_schema) || isObject(value.parameters)
    ? [JSON.stringify(value)]
    : Object.values(value).flatMap(textsIn)
}

/** Prices the bodies of a session: what a body begins with like the one before is read from the cache. */
function priceOf(
  requests: readonly WireRequest[],
  { minimum, grain, read, write }: Prices,
): number {
  const prompts = requests.map(({ wire, body }) => promptParts(wire, body))
  return prompts.reduce((sum, now, index) => {
    const before = prompts[index - 1] ?? []
    const differs = now.findIndex(
      ({ segment, text }, part) => before[part]?.segment !== segment || before[part]?.text !== text,
    )
    const sizes = now.map(tokensIn)
    const add = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)
    const kept = add(sizes.slice(0, differs < 0 ? now.length : differs))
    const cached = kept < minimum ? 0 : kept - (kept % grain)
    return sum + cached * read + (add(sizes) - cached) * write
  }, 0)
}
