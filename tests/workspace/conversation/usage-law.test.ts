import { createCatalog, defineAgent, VirtualWorkspace } from 'loadout'
import {
  conversation,
  type ConversationForm,
  type ConversationOptions,
  providerTool,
  type ProviderTools,
  type RunOptions,
  type WireTypes,
} from 'loadout/adapter'
import { expect, test } from 'vitest'
import { aTool } from '../a-workspace.ts'

/** Steps of all sessions, and the deviations among them: `USAGE_STEPS=2000 USAGE_PLANTED=200` for the long form. */
const STEPS = Number(process.env['USAGE_STEPS'] ?? 320)
const PLANTED = Number(process.env['USAGE_PLANTED'] ?? 32)

const KINDS = [
  'time-to-live',
  'below-minimum',
  'other-model',
  'host-change',
  'ours',
  'no-breakpoint',
  'earlier-request',
  'unknown',
] as const

type Kind = (typeof KINDS)[number]

interface Line {
  readonly who: 'user' | 'assistant' | 'system'
  readonly says: string
}

interface Request {
  readonly model: string
  readonly tools: readonly object[]
  readonly system: string
  readonly lines: readonly (Line | object)[]
  readonly marked: boolean
  readonly previous: string | undefined
}

interface Usage {
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

interface Answer {
  readonly id: string
  readonly model: string
  readonly says: string
  readonly usage: Usage
  readonly reason: string | undefined
}

interface Wire extends WireTypes {
  item: Line
  request: Request
  answer: Answer
  tool: ProviderTools['mcp']
  options: ConversationOptions & {
    readonly model?: string
    readonly system?: string
    readonly marked?: boolean
  }
  kept: undefined
  client: undefined
  run: RunOptions
}

/** Another version of an adapter may write the same tools in another way. */
const formOf = (version: number): ConversationForm<Wire> => ({
  options: { model: 'text', system: 'text', marked: 'switch' },
  ways: ['additions', 'removals'],
  refusals: [],
  hasWholeAnswers: true,
  read: ({ who }) => ({ role: who }),
  results: () => [],
  text: (says) => ({ who: 'user', says }),
  tool: (tool) => ({ ...providerTool(tool, 'mcp'), ...(version > 0 && { version }) }),
  toolChange: ({ additions, removals }, write) => [
    { who: 'system', says: JSON.stringify([additions.map(({ tool }) => write(tool)), removals]) },
  ],
  request: ({ step, options, tools, messages, compare }) => ({
    model: options.model ?? '',
    tools,
    system: `${options.system ?? ''}\n${step.instructions}`,
    lines: messages,
    marked: options.marked !== false,
    previous: compare,
  }),
  answer: ({ says }) => ({
    status: 'done',
    calls: [],
    items: () => [{ who: 'assistant', says }],
  }),
  usage: ({ id, model, usage, reason }) => ({
    id,
    model,
    usage,
    ...(reason !== undefined && { diagnosis: { reason } }),
  }),
  isUnmarked: ({ marked }) => !marked,
  open: () => {
    throw new Error('There is no client.')
  },
})

/** The prompt of a request, in the order in which its provider reads it. */
function partsOf({ tools, system, lines }: Request): readonly string[] {
  return [...tools, system, ...lines].map((one) => JSON.stringify(one))
}

/** A provider with a cache like Anthropic's, which counts tokens in another way than the session. */
class CachingProvider {
  minimum = 1024
  now = 0
  readonly #kept = new Map<string, number>()
  readonly #earlier = new Map<string, Request>()
  #answers = 0

  forget(): void {
    this.#kept.clear()
  }

  answer(request: Request, diagnoses: boolean): Answer {
    const parts = partsOf(request)
    const sizes = parts.map((part) => Math.ceil(part.length / 3.1) + 3)
    const ends = parts.map((_, at) => `${request.model}\n${parts.slice(0, at + 1).join('\n')}`)
    const tokens = (count: number) => sizes.slice(0, count).reduce((sum, one) => sum + one, 0)
    const isLive = (key: string) => (this.#kept.get(key) ?? 0) > this.now
    const marks = request.marked ? [request.tools.length + 1, parts.length] : []
    const read = request.marked ? ends.findLastIndex(isLive) + 1 : 0
    for (const count of [...marks, read]) {
      const key = ends[count - 1]
      if (key !== undefined && tokens(count) >= this.minimum)
        this.#kept.set(key, this.now + 300_000)
    }
    const input = tokens(parts.length)
    const cached = tokens(read)
    const id = `answer ${(this.#answers += 1)}`
    const before = this.#earlier.get(request.previous ?? '')
    this.#earlier.set(id, request)
    return {
      id,
      model: request.model,
      says: `Answer ${this.#answers}. ${'Words of an answer. '.repeat(this.#answers % 7)}`,
      usage: {
        input,
        cached,
        written: marks.length > 0 && input >= this.minimum ? input - cached : 0,
        output: 30,
      },
      reason: diagnoses && before ? reasonOf(before, request) : undefined,
    }
  }
}

function reasonOf(before: Request, now: Request): string | undefined {
  if (before.model !== now.model) return 'model_changed'
  if (JSON.stringify(before.tools) !== JSON.stringify(now.tools)) return 'tools_changed'
  if (before.system !== now.system) return 'system_changed'
  const [lines, later] = [before.lines, now.lines].map((all) =>
    all.map((one) => JSON.stringify(one)),
  )
  return lines?.every((line, at) => later?.[at] === line) ? undefined : 'messages_changed'
}

/** A linear congruential generator: the same numbers on every machine. */
function diceOf(seed: number): (below: number) => number {
  let state = (seed * 2654435761 + 1) >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Plays one session with some deviations, and returns what was planted and what was found, by step. */
async function play(
  provider: CachingProvider,
  {
    seed,
    steps,
    plants,
    name,
  }: { seed: number; steps: number; plants: ReadonlyMap<number, Kind>; name: string },
) {
  const roll = diceOf(seed)
  const kinds = new Set(plants.values())
  const short = kinds.has('below-minimum')
  provider.minimum = short ? 4096 : 1024
  const prompt = `You are ${name}. ${'Help as well as you can, and say what you did. '.repeat(short ? 110 : 260)}`
  const tools = Array.from({ length: 6 }, (_, at) =>
    aTool(`tool_${at}`, {
      description: `Does ${at}. ${'It takes what the schema says. '.repeat(4)}`,
    }),
  )
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools, agents: [defineAgent({ name: 'helper', prompt })] }),
    agent: 'helper',
    provider: 'anthropic/claude-opus-4-8',
    ...(roll(4) === 0 && { exposure: 'active' as const }),
    testing: { clock: { now: () => provider.now, monotonic: () => provider.now } },
  })
  let [model, system, version] = ['claude-opus-4-8', 'Be brief.', 0]
  let edits = ''
  const diagnoses = roll(2) === 0
  const lines: Line[] = []
  const open = (marked = true) =>
    conversation(workspace, {
      provider: 'mcp',
      form: formOf(version),
      options: { model, system, marked },
    })
  let host = open()
  for (let step = 1; step <= steps; step += 1) {
    provider.now += 5_000 + roll(60_000)
    const kind = plants.get(step)
    if (kind === 'time-to-live') provider.now += 400_000
    if (kind === 'unknown') provider.forget()
    if (kind === 'other-model') model = `claude-opus-5-${step}`
    if (kind === 'ours') version += 1
    const isEdited = kind === 'host-change' && diagnoses && roll(2) === 0
    if (isEdited) edits += ` Edited at ${step}.`
    else if (kind === 'host-change') system = `Be brief, as said at ${step}.`
    if (kind !== undefined && !isEdited) host = open(kind !== 'no-breakpoint')
    // Changes that the ledger knows: none at a planted step, where it would not be known which of both it was.
    if (kind === undefined && step > 1 && !short && roll(5) === 0) {
      const changed = aTool(`tool_${roll(6)}`, { description: `Changed at ${step} of ${name}.` })
      if (roll(2) === 0) await workspace.registerTool(changed, { replace: true })
      else await workspace.syncTools('server', [aTool(`served_${step}`, { description: name })])
    } else if (kind === undefined && !short && roll(12) === 0) lines.splice(0, 2)
    lines.push({ who: 'user', says: `Question ${step}. ${'Some words. '.repeat(roll(20))}` })
    const next = await host.next(lines)
    const request = edits === '' ? next : { ...next, system: `${next.system}${edits}` }
    const { items } = await host.answer(provider.answer(request, diagnoses))
    lines.push(...items)
  }
  const usage = await workspace.figures.usage()
  await workspace.close()
  return usage.steps.map(({ step, deviation }) => ({
    step: `${name}, step ${step}`,
    planted: plants.get(step) ?? null,
    found: deviation?.kind ?? null,
    why: deviation?.why,
  }))
}

test('each planted deviation is found with its kind, and nothing else is', async () => {
  const provider = new CachingProvider()
  const roll = diceOf(Number(process.env['USAGE_SEED'] ?? 7))
  const played: Awaited<ReturnType<typeof play>>[number][] = []
  let left = PLANTED
  for (let session = 0; played.length < STEPS || left > 0; session += 1) {
    const kind = KINDS[left % KINDS.length] as Kind
    const plants = new Map<number, Kind>()
    const isOwn = left > 0 && (kind === 'below-minimum' || kind === 'earlier-request')
    const length = Math.round((STEPS / Math.max(1, PLANTED)) * 1.6)
    const steps = kind === 'below-minimum' && isOwn ? 2 : length
    // The first two steps have nothing to lose, and one without breakpoints is not followed by others.
    if (isOwn) plants.set(kind === 'below-minimum' ? 2 : 1, kind)
    else if (left > 0) plants.set(kind === 'no-breakpoint' ? steps : 3 + roll(steps - 3), kind)
    const name = `helper ${session}`
    if (kind === 'earlier-request' && isOwn) {
      const seed = roll(1_000_000)
      played.push(...(await play(provider, { seed, steps: 2, plants: new Map(), name })))
      played.push(...(await play(provider, { seed, steps: 2, plants, name })))
    } else played.push(...(await play(provider, { seed: roll(1_000_000), steps, plants, name })))
    left -= plants.size
  }
  const planted = played.filter((one) => one.planted !== null)
  expect(planted.length).toBe(PLANTED)
  expect(played.length).toBeGreaterThanOrEqual(STEPS)
  expect(played.filter((one) => one.planted !== one.found)).toEqual([])
})
