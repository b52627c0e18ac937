import { randomUUID } from 'node:crypto'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { simulateReadableStream, type ModelMessage } from 'ai'
import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  type EventLog,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { type DurableQuestion, durableTurn, type DurableTurnOptions } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'

/** A process that dies at one of the points that it passes. What it does after its death has no effect. */
class Mortal {
  readonly passed: string[] = []
  readonly #dies: number
  isDead = false

  constructor(dies: number) {
    this.#dies = dies
  }

  pass(point: string): void {
    if (this.isDead) throw new Error('This process is dead.')
    this.passed.push(point)
    if (this.passed.length !== this.#dies) return
    this.isDead = true
    throw new Error(`The process died at ${point}.`)
  }
}

/** A log that a process reaches while it lives. It may die before an append, and after it. */
function mortalLog(log: EventLog, process: Mortal): EventLog {
  return new Proxy(log, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) => {
        if (process.isDead) throw new Error('This process is dead.')
        if (name === 'append') process.pass('before an append')
        const result = (await Reflect.apply(member, target, given)) as unknown
        if (name === 'append') process.pass('after an append')
        return result
      }
    },
  })
}

type Said = string | readonly { readonly tool: string; readonly input: object }[]

const SCRIPT: readonly Said[] = [
  [{ tool: 'loadSkill', input: { skillName: 'refunds' } }],
  [{ tool: 'lookup', input: { order: 7 } }],
  [
    { tool: 'note', input: { text: 'paying 7' } },
    { tool: 'note', input: { text: 'and 8' } },
  ],
  [{ tool: 'refund', input: { order: 7 } }],
  [{ tool: 'note', input: { text: 'paid 7' } }],
  'Order 7 was paid back.',
]

/** What happens outside of the processes, and what the model is sent. */
class World {
  readonly did: string[] = []
  readonly asked: string[] = []
  /** The requests by the step of the script. */
  readonly prompts = new Map<number, string[]>()
  readonly log = createMemoryLog()
  readonly saved = new Map<string, unknown>()

  model(process: Mortal, script: readonly Said[]): LanguageModelV4 {
    const next = (prompt: readonly { readonly role: string }[]) => {
      process.pass('before the model')
      const at = prompt.filter(({ role }) => role === 'assistant').length
      this.prompts.set(at, [...(this.prompts.get(at) ?? []), JSON.stringify(prompt)])
      const said = script[at] ?? 'Nothing more.'
      const content =
        typeof said === 'string'
          ? [{ type: 'text' as const, text: said }]
          : said.map(({ tool, input }) => ({
              type: 'tool-call' as const,
              toolCallId: `call-${randomUUID()}`,
              toolName: tool,
              input: JSON.stringify(input),
            }))
      const unified = typeof said === 'string' ? ('stop' as const) : ('tool-calls' as const)
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
    }
    return {
      specificationVersion: 'v4',
      provider: 'scripted',
      modelId: 'scripted',
      supportedUrls: {},
      doGenerate: async ({ prompt }) => next(prompt),
      doStream: async ({ prompt }) => {
        const { content, finishReason } = next(prompt)
        const chunks = content.flatMap((part, index): LanguageModelV4StreamPart[] => {
          if (part.type === 'tool-call') return [part]
          const id = `${index}`
          return [
            { type: 'text-start', id },
            { type: 'text-delta', id, delta: part.text.slice(0, 5) },
            { type: 'text-delta', id, delta: part.text.slice(5) },
            { type: 'text-end', id },
          ]
        })
        const all: LanguageModelV4StreamPart[] = [
          { type: 'stream-start', warnings: [] },
          ...chunks,
          { type: 'finish', finishReason, usage },
        ]
        return {
          stream: simulateReadableStream({
            chunks: all,
            initialDelayInMs: null,
            chunkDelayInMs: null,
          }),
        }
      },
    }
  }

  async open(process: Mortal, options: Partial<WorkspaceOptions> = {}): Promise<VirtualWorkspace> {
    const act = (name: string, text: string) => {
      process.pass(`before ${name}`)
      this.did.push(`${name} ${text}`)
      process.pass(`after ${name}`)
      return { done: text }
    }
    const json = { type: 'object' } as const
    const refund = defineTool({
      name: 'refund',
      description: 'Pays an order back.',
      category: 'action',
      requiresConfirmation: true,
      inputSchema: json,
      execute: ({ order }: Record<string, unknown>) => act('refund', String(order)),
    })
    const note = defineTool({
      name: 'note',
      description: 'Writes a note.',
      category: 'action',
      inputSchema: json,
      execute: ({ text }: Record<string, unknown>) => act('note', String(text)),
    })
    const lookup = defineTool({
      name: 'lookup',
      description: 'Looks an order up.',
      inputSchema: json,
      execute: ({ order }) => ({ order, state: 'paid' }),
    })
    const refunds = defineSkill({
      name: 'refunds',
      description: 'Pays orders back.',
      instructions: 'Look first.',
      tools: [refund, note, lookup],
    })
    return VirtualWorkspace.open({
      catalog: await createCatalog({ skills: [refunds] }),
      log: mortalLog(this.log, process),
      session: 's',
      onlyProcess: true,
      ...options,
    })
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

interface Engine {
  /** True when the engine keeps the results of steps; one that does not makes the whole turn again. */
  readonly keepsSteps: boolean
  readonly streams: boolean
}

const USER: readonly ModelMessage[] = [{ role: 'user', content: 'Pay order 7 back.' }]

/** Makes a turn until a process survives it: the first one dies at its nth point. */
async function turn(
  world: World,
  { keepsSteps, streams }: Engine,
  dies: number,
  more: Partial<DurableTurnOptions> & {
    readonly script?: readonly Said[]
    readonly open?: never
  } = {},
  options: Partial<WorkspaceOptions> = {},
) {
  const { script = SCRIPT, ...others } = more
  for (const at of [dies, Infinity]) {
    const process = new Mortal(at)
    try {
      const ended = await durableTurn({
        open: () => world.open(process, options),
        model: world.model(process, script),
        messages: USER,
        async step(name, work) {
          if (keepsSteps && world.saved.has(name)) return world.saved.get(name) as never
          const result = await work()
          process.pass('before the step is saved')
          world.saved.set(name, JSON.parse(JSON.stringify(result)))
          return result
        },
        async wait({ id }: DurableQuestion) {
          process.pass('at the question')
          world.asked.push(id)
          return true
        },
        run: { engine: 'test', id: 'run-1' },
        ...(streams && {
          async onStream(stream) {
            for await (const part of stream.fullStream) if (part.type === 'error') throw part.error
          },
        }),
        ...others,
      })
      return { ended, process, points: process.passed }
    } catch (error) {
      if (!process.isDead) throw error
    }
  }
  throw new Error('No process survived.')
}

const ENGINES: readonly Engine[] = [true, false].flatMap((keepsSteps) =>
  [false, true].map((streams) => ({ keepsSteps, streams })),
)

test.each(ENGINES)('a turn that dies nowhere: %o', async (engine) => {
  const world = new World()
  const { ended } = await turn(world, engine, Infinity)
  expect(ended).toMatchObject({ text: 'Order 7 was paid back.', finishReason: 'stop', steps: 6 })
  expect(world.did).toEqual(['note paying 7', 'note and 8', 'refund 7', 'note paid 7'])
  expect(world.asked).toHaveLength(1)
})

test.each(ENGINES)(
  'wherever its process dies, a turn makes each effect once and sends the same: %o',
  async (engine) => {
    const { points } = await turn(new World(), engine, Infinity)
    expect(points.length).toBeGreaterThan(60)
    const every = engine.keepsSteps && !engine.streams ? 1 : 5
    const wrong: unknown[] = []
    for (let dies = 1; dies <= points.length; dies += every) {
      const world = new World()
      const { ended } = await turn(world, engine, dies)
      const point = points[dies - 1] ?? ''
      // A step whose answer was not kept asks again, and the request is the same.
      const sent = [...world.prompts.values()].map((prompts) => new Set(prompts).size)
      // Only a call that had begun when its process died leaves something unknown, and the model reads that.
      const isUnknown = JSON.stringify(ended.messages).includes('What it did is not known.')
      const mayBe = /an append|(before|after) (note|refund)/u.test(point)
      const isRight =
        ended.finishReason === 'stop' &&
        new Set(world.did).size === world.did.length &&
        new Set(world.asked).size === 1 &&
        sent.every((different) => different === 1) &&
        (isUnknown ? mayBe : world.did.length === 4)
      if (!isRight) wrong.push({ dies, point, did: world.did, asked: world.asked, sent })
    }
    expect(wrong).toEqual([])
  },
  120_000,
)

test('the messages of a turn that was cut short and made again are those of one that was not', async () => {
  const withoutIds = (value: unknown) =>
    JSON.stringify(value).replaceAll(/call-[\da-f-]+|"approvalId":"[^"]+"/gu, 'id')
  const whole = await turn(new World(), { keepsSteps: true, streams: false }, Infinity)
  const at = whole.points.indexOf('before the step is saved', 30)
  for (const engine of ENGINES) {
    const { ended } = await turn(new World(), engine, at + 1)
    expect(withoutIds(ended)).toBe(withoutIds(whole.ended))
  }
})

test('another run with the same messages asks the model again', async () => {
  const world = new World()
  const engine = { keepsSteps: false, streams: false }
  await turn(world, engine, Infinity)
  await turn(world, engine, Infinity)
  expect(world.did).toHaveLength(4)
  await turn(world, engine, Infinity, { run: { engine: 'test', id: 'run-2' } })
  expect(world.did).toHaveLength(8)
  const runs = (await world.log.read('s')).flatMap(({ event }) =>
    event.type === 'step.begun' ? event.run?.id : [],
  )
  expect(new Set(runs)).toEqual(new Set(['run-1', 'run-2']))
})

test('a no, and no answer, are answers, and the call does not run', async () => {
  for (const [answer, reason] of [
    [{ approved: false, reason: 'Too much.' }, 'Too much.'],
    [false, undefined],
    [null, 'Nobody answered.'],
  ] as const) {
    const world = new World()
    const engine = { keepsSteps: true, streams: false }
    const { ended } = await turn(world, engine, Infinity, { wait: async () => answer })
    expect(world.did).toEqual(['note paying 7', 'note and 8', 'note paid 7'])
    expect(JSON.stringify(ended.messages)).toContain('execution-denied')
    if (reason) expect(JSON.stringify(ended.messages)).toContain(reason)
    const denied = (await world.log.read('s')).filter(
      ({ event }) => event.type === 'confirmation.denied',
    )
    expect(denied).toHaveLength(1)
  }
})

test('a process that was thought dead makes no call again that another one made', async () => {
  const world = new World()
  const [slow, fast] = [new Mortal(Infinity), new Mortal(Infinity)]
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const make = (process: Mortal, model: LanguageModelV4) =>
    durableTurn({
      open: () => world.open(process),
      model,
      messages: USER,
      step: (_, work) => work(),
      wait: async () => true,
    })
  const own = world.model(slow, SCRIPT)
  const late = make(slow, {
    ...own,
    async doGenerate(options) {
      const answer = await own.doGenerate(options)
      const isNote = JSON.stringify(answer).includes('paying 7')
      if (isNote) {
        reached.resolve()
        await held.promise
      }
      return answer
    },
  })
  await reached.promise
  await make(fast, world.model(fast, SCRIPT))
  expect(world.did).toHaveLength(4)
  held.resolve()
  await late
  expect(world.did).toHaveLength(4)
})

test('the log has no secret of an answer, and a call whose arguments had one is not made without it', async () => {
  const script: readonly Said[] = [
    [{ tool: 'loadSkill', input: { skillName: 'refunds' } }],
    [{ tool: 'note', input: { text: 'hello', password: 'hunter22-secret' } }],
    'Done.',
  ]
  const whole = await turn(
    new World(),
    { keepsSteps: true, streams: false },
    Infinity,
    { script },
    { redact: {} },
  )
  for (let dies = 1; dies <= whole.points.length; dies += 1) {
    const world = new World()
    const { ended } = await turn(
      world,
      { keepsSteps: true, streams: false },
      dies,
      { script },
      { redact: {} },
    )
    const entries = await world.log.read('s')
    const answers = entries.flatMap(({ event }) =>
      event.type === 'step.answered' ? event.stored : [],
    )
    const stored = JSON.stringify([entries, ...(await world.log.definitions.get(answers))])
    expect(stored).not.toContain('hunter22')
    expect(stored).toContain('hello')
    // Made, unknown, or not made with a word about it: never with other arguments, and never twice.
    const isExplained = /What it did is not known|which the log does not keep/u.test(
      JSON.stringify(ended.messages),
    )
    expect(world.did.length === 1 || isExplained).toBe(true)
    expect(world.did.length).toBeLessThan(2)
  }
})
