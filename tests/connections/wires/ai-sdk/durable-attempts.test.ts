import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { simulateReadableStream } from 'ai'
import {
  createCatalog,
  createMemoryLog,
  defineTool,
  type Tool,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { durableTurn, type DurableTurnOptions } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

let ids = 0

const call = (toolName: string, input: object, toolCallId = `id-${(ids += 1)}`) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName,
  input: JSON.stringify(input),
})

const text = (words: string) => ({ type: 'text' as const, text: words })

type Script = (at: number, prompt: string) => readonly LanguageModelV4Content[]

/** A model that answers by the number of its answers so far, with other ids in each attempt. */
function model(script: Script, finish?: 'error'): LanguageModelV4 {
  const next = (prompt: readonly { readonly role: string }[]) => {
    const at = prompt.filter(({ role }) => role === 'assistant').length
    const content = [...script(at, JSON.stringify(prompt))]
    const hasCalls = content.some(
      (part) => part.type === 'tool-call' && part.providerExecuted !== true,
    )
    const unified = finish ?? (hasCalls ? ('tool-calls' as const) : ('stop' as const))
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] }
  }
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async ({ prompt }) => next(prompt),
    async doStream({ prompt }) {
      const { content, finishReason } = next(prompt)
      const parts = content.flatMap((part, at): LanguageModelV4StreamPart[] => {
        if (part.type === 'tool-call' || part.type === 'tool-result') return [part]
        if (part.type !== 'text') return []
        const id = `${at}`
        return [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: part.text },
          { type: 'text-end', id },
        ]
      })
      const chunks: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ]
      return {
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      }
    },
  }
}

/** A session, what its tools did, and what a person was asked. */
function aWorld() {
  const did: string[] = []
  const asked: string[] = []
  const log = createMemoryLog()
  const clock = { at: 1_000_000, now: () => clock.at, monotonic: () => clock.at }
  const act = (name: string) =>
    defineTool({
      name,
      description: `Does ${name}.`,
      category: 'action',
      inputSchema: { type: 'object' },
      ...(name === 'refund' && { requiresConfirmation: true }),
      execute: (input) => {
        did.push(name)
        return { done: input }
      },
    })
  type Opened = Partial<WorkspaceOptions> & { readonly more?: readonly Tool[] }
  const open = async ({ more = [], ...options }: Opened = {}) =>
    VirtualWorkspace.open({
      catalog: await createCatalog({ tools: [act('note'), act('refund'), ...more] }),
      log,
      session: 's',
      onlyProcess: true,
      testing: { clock },
      ...options,
    })
  const turn = (
    one: LanguageModelV4,
    more: Partial<DurableTurnOptions> = {},
    options: Opened = {},
  ) =>
    durableTurn({
      open: () => open(options),
      model: one,
      messages: [{ role: 'user', content: 'Go.' }],
      step: (_, work) => work(),
      async wait({ id, tool }) {
        asked.push(`${tool} ${id}`)
        return true
      },
      ...more,
    })
  return { did, asked, log, clock, open, turn }
}

/** An engine that saves steps, unless its process dies first, and returns them in another form. */
function engine(
  saved: Map<string, unknown>,
  dies: (name: string) => boolean = () => false,
  form: (value: unknown) => unknown = (value) => value,
): DurableTurnOptions['step'] {
  return async (name, work) => {
    if (saved.has(name)) return form(saved.get(name)) as never
    const result = await work()
    if (dies(name)) throw new Error('dead')
    saved.set(name, JSON.parse(JSON.stringify(result)))
    return result
  }
}

const STREAMED: Partial<DurableTurnOptions> = {
  async onStream(stream) {
    await stream.consumeStream()
  },
}

const refundThenNote: Script = (at) =>
  [[call('refund', { o: 1 })], [call('note', { o: 2 })]][at] ?? [text('done')]

test('a process that waits at a question while another one ends the turn pays nothing again', async () => {
  const world = aWorld()
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = world.turn(model(refundThenNote), {
    async wait() {
      reached.resolve()
      await held.promise
      return true
    },
  })
  await reached.promise
  await world.turn(model(refundThenNote))
  held.resolve()
  await slow
  expect([world.did, world.asked.length]).toEqual([['refund', 'note'], 1])
})

test('a process that is slow in a call, and thought dead, makes none of the later calls again', async () => {
  const world = aWorld()
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  const slow = defineTool({
    name: 'slow',
    description: 'Takes long.',
    category: 'action',
    inputSchema: { type: 'object' },
    async execute() {
      if (!isFirst) return 'quick'
      isFirst = false
      reached.resolve()
      await held.promise
      return 'slow'
    },
  })
  const script: Script = (at) =>
    [[call('slow', {})], [call('note', { o: 2 })]][at] ?? [text('done')]
  const first = world.turn(model(script), {}, { more: [slow] })
  await reached.promise
  await world.turn(model(script), {}, { more: [slow] })
  held.resolve()
  await first
  expect(world.did).toEqual(['note'])
})

test('a secret in an answer, results in another order and results that are not kept change no step', async () => {
  const script =
    (input: object): Script =>
    (at) =>
      [[call('note', input)], [call('note', { t: 'b' })]][at] ?? [text('done')]
  const dying = (inner: Script): Script => {
    let dies = true
    return (at, prompt) => {
      if (at !== 2 || !dies) return inner(at, prompt)
      dies = false
      throw new Error('dead')
    }
  }
  for (const options of [{ redact: {} }, { keepResults: false }]) {
    const world = aWorld()
    const one = model(dying(script({ text: 'a', password: 'hunter22-secret' })))
    await world.turn(one, {}, options).catch(() => undefined)
    await world.turn(one, {}, options)
    expect(world.did).toEqual(['note', 'note'])
  }
  const world = aWorld()
  const saved = new Map<string, unknown>()
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .toSorted(([a], [b]) => a.length - b.length)
              .map(([key, one]) => [key, sorted(one)]),
          )
        : value
  const one = model(script({ text: 'a', of: 1 }))
  const step = engine(saved, (name) => name === 'step-1' && world.did.length === 2)
  await world.turn(one, { step }).catch(() => undefined)
  world.did.push('killed')
  await world.turn(one, { step: engine(saved, undefined, sorted) })
  expect(world.did).toEqual(['note', 'note', 'killed'])
})

test('a streamed answer keeps the order of its parts, and its provider-executed calls', async () => {
  const scripts: readonly Script[] = [
    (at) => (at === 0 ? [call('note', { t: 1 }), text('I noted it.')] : [text('done')]),
    () => [
      { ...call('web_search', { q: 1 }, 'srv1'), providerExecuted: true, dynamic: true },
      {
        type: 'tool-result',
        toolCallId: 'srv1',
        toolName: 'web_search',
        result: { hits: 1 },
        dynamic: true,
      },
      text('found'),
    ],
  ]
  for (const script of scripts) {
    const world = aWorld()
    const streamed = await world.turn(model(script), STREAMED)
    expect((await world.turn(model(script), STREAMED)).messages).toEqual(streamed.messages)
    ids = 0
    const plain = await aWorld().turn(model(script))
    ids = 0
    expect((await aWorld().turn(model(script), STREAMED)).messages).toEqual(plain.messages)
  }
})

test('other turns of the session, and other runs with the same messages, take no answer away', async () => {
  const world = aWorld()
  const saved = new Map<string, unknown>()
  const script: Script = (at) => (at === 0 ? [call('note', { t: 1 })] : [text('done')])
  const run = { id: 'A' }
  await world.turn(model(script), { run, step: engine(saved, () => true) }).catch(() => undefined)
  for (const content of ['hello', 'there', 'you']) {
    const messages = [{ role: 'user' as const, content }]
    await world.turn(
      model(() => [text('hi')]),
      { messages, run: { id: content } },
    )
  }
  await world.turn(model(script), { run: { id: 'B' } })
  expect(world.did).toHaveLength(2)
  await world.turn(model(script), { run, step: engine(saved) })
  await world.turn(model(script), { run: { id: 'B' } })
  expect(world.did).toHaveLength(2)
})

test('three processes at one step, a question beside a call included, make each call once', async () => {
  const script: Script = (at) =>
    at === 0
      ? [call('refund', { o: 1 }), call('note', { o: 1 })]
      : at === 1
        ? [call('note', { o: 2 })]
        : [text('done')]
  for (let time = 0; time < 5; time += 1) {
    const world = aWorld()
    const turns = [1, 2].map(() => world.turn(model(script), {}, { onlyProcess: false }))
    await Promise.all(turns)
    expect(world.did.toSorted()).toEqual(['note', 'note', 'refund'])
  }
})

test('a late yes is asked again once, under the same id in each attempt', async () => {
  const world = aWorld()
  const asked: string[] = []
  let dies = true
  const one = model((_, prompt) => {
    const isPaid = prompt.includes('"done"')
    if (isPaid && dies) throw new Error('dead')
    return isPaid ? [text('done')] : [call('refund', { o: 1 })]
  })
  const wait = async ({ id }: { readonly id: string }) => {
    asked.push(id)
    if (asked.length === 1) world.clock.at += 10_000
    return true
  }
  const limits = { confirmationMs: 1000 }
  await world.turn(one, { wait }, { limits }).catch(() => undefined)
  dies = false
  await world.turn(one, { wait }, { limits })
  expect(world.did).toEqual(['refund'])
  expect(new Set(asked).size).toBe(2)
})

test('ids that repeat lose no approved call, and nobody is asked about a call that did not ask', async () => {
  const twice: Script = (at) => (at < 2 ? [call('refund', { o: 1 }, 'call_0')] : [text('done')])
  const world = aWorld()
  await world.turn(model(twice))
  expect(world.did).toEqual(['refund', 'refund'])
  const mixed: Script = (at) =>
    [[call('note', { t: 1 }, 'call_0')], [call('refund', { o: 1 }, 'call_0')]][at] ?? [text('done')]
  const other = aWorld()
  await other.turn(model(mixed))
  await other.turn(model(mixed))
  expect(other.asked).toEqual(['refund call_0', 'refund call_0'])
  expect(other.did).toEqual(['note', 'refund'])
})

test('a turn ends after the most requests, with questions too, and where a call waits for the client', async () => {
  const world = aWorld()
  const one = model((at) => (at === 0 ? [call('refund', { o: 1 })] : [call('note', { at })]))
  expect((await world.turn(one, { maxSteps: 1 })).steps).toBe(1)
  expect((await aWorld().turn(one, { maxSteps: 3 })).steps).toBe(3)
  const show = defineTool({
    name: 'show',
    description: 'Shows something.',
    client: true,
    inputSchema: { type: 'object' },
  } as never) as Tool
  const shown = await aWorld().turn(
    model(() => [call('show', {})]),
    {},
    { more: [show] },
  )
  expect([shown.steps, shown.finishReason]).toEqual([1, 'tool-calls'])
})

test('an answer that failed is no end of a turn, streamed or not, and is not kept', async () => {
  for (const more of [{}, STREAMED]) {
    const world = aWorld()
    await expect(
      world.turn(
        model(() => [text('half')], 'error'),
        more,
      ),
    ).rejects.toThrow('error')
    expect(
      (
        await world.turn(
          model(() => [text('whole')]),
          more,
        )
      ).text,
    ).toBe('whole')
  }
})

test('what is aborted makes no further step, and a bad answer of a person is refused', async () => {
  const world = aWorld()
  const controller = new AbortController()
  const wait = async () => {
    controller.abort(new Error('stop'))
    return true
  }
  const turn = world.turn(model(refundThenNote), { wait, signal: controller.signal })
  await expect(turn).rejects.toThrow('stop')
  expect(world.did).toEqual([])
  const odd = aWorld().turn(model(refundThenNote), { wait: async () => 'yes' as never })
  await expect(odd).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
})
