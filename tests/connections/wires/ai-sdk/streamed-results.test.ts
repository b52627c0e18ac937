import { generateText, isStepCount, streamText } from 'ai'
import { createCatalog, defineTool, VirtualWorkspace, type Tool, type ToolContext } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { streamCall } from '../../../../src/connections/wires/ai-sdk/sdk-calls.ts'
import { requestsOf, requestText, scriptedModel } from './scripted-model.ts'

const report = defineTool({
  name: 'report',
  description: 'Write a report.',
  inputSchema: z.object({ pages: z.number() }),
  async *execute({ pages }) {
    for (let page = 1; page <= pages; page += 1) yield await Promise.resolve(`page ${page}`)
    return { pages }
  },
})

async function open(tools: readonly Tool[]) {
  const catalog = await createCatalog({ tools })
  return VirtualWorkspace.open({ catalog, metaTools: [] })
}

async function all<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const parts: T[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

const call = [{ id: 'c1', tool: 'report', input: { pages: 2 } }]

test('what a handler yields is preliminary to the SDK', async () => {
  const { fullStream } = streamText({
    model: scriptedModel([call, 'done']),
    prompt: 'Report.',
    stopWhen: isStepCount(3),
    ...forAiSdk(await open([report])),
  })
  const results = (await all(fullStream)).flatMap((part) =>
    part.type === 'tool-result' ? [[part.output, part.preliminary ?? false]] : [],
  )
  expect(results).toEqual([
    ['page 1', true],
    ['page 2', true],
    [{ pages: 2 }, true],
    [{ pages: 2 }, false],
  ])
})

test('with envelopes, what a handler yields is in the form of the result', async () => {
  const workspace = await open([report])
  const model = scriptedModel([call, 'done'])
  const { fullStream } = streamText({
    model,
    prompt: 'Report.',
    stopWhen: isStepCount(3),
    ...forAiSdk(workspace, { results: 'envelope' }),
  })
  const results: unknown[] = []
  for await (const part of fullStream) {
    if (part.type !== 'tool-result') continue
    const { ok, data, meta } = part.output as { ok: boolean; data: unknown; meta: object }
    results.push({
      ok,
      data,
      preliminary: part.preliminary ?? false,
      ...('seq' in meta && { last: true }),
    })
  }
  expect(results).toEqual([
    { ok: true, data: 'page 1', preliminary: true },
    { ok: true, data: 'page 2', preliminary: true },
    { ok: true, data: { pages: 2 }, preliminary: true, last: true },
    { ok: true, data: { pages: 2 }, preliminary: false, last: true },
  ])
  const texts = requestsOf(model).map(requestText)
  expect(texts[1]).toContain('{"pages":2}')
  expect(texts[1]).not.toContain('page 1')
})

test('generateText has only the result, and a tool that does not stream is reported once', async () => {
  const quick = defineTool({
    name: 'report',
    description: 'Be quick.',
    inputSchema: z.object({ pages: z.number() }),
    execute: () => 'fast',
  })
  for (const tool of [report, quick]) {
    const workspace = await open([tool])
    const { steps } = await generateText({
      model: scriptedModel([call, 'done']),
      prompt: 'Report.',
      stopWhen: isStepCount(3),
      ...forAiSdk(workspace),
    })
    expect(steps[0]?.toolResults.map(({ output }) => output as unknown)).toEqual([
      tool === quick ? 'fast' : { pages: 2 },
    ])
    const ended = (await workspace.entries()).filter(({ event }) => event.type === 'call.ended')
    expect(ended).toHaveLength(1)
  }
  const workspace = await open([quick])
  const { fullStream } = streamText({
    model: scriptedModel([call, 'done']),
    prompt: 'Report.',
    stopWhen: isStepCount(3),
    ...forAiSdk(workspace),
  })
  const parts = (await all(fullStream)).filter(({ type }) => type === 'tool-result')
  expect(parts).toHaveLength(1)
})

test('a call that is refused streams nothing but its refusal', async () => {
  const workspace = await open([report])
  const { fullStream } = streamText({
    model: scriptedModel([[{ id: 'c1', tool: 'report', input: { pages: 'two' } }], 'done']),
    prompt: 'Report.',
    stopWhen: isStepCount(3),
    ...forAiSdk(workspace),
  })
  const parts = (await all(fullStream)).filter(
    ({ type }) => type === 'tool-result' || type === 'tool-error',
  )
  expect(parts).toMatchObject([
    { type: 'tool-error', error: { response: { error: { type: 'VALIDATION' } } } },
  ])
})

test('a reader that leaves gives the call up', async () => {
  const ended = Promise.withResolvers<string>()
  const endless = defineTool({
    name: 'endless',
    description: 'Never stop.',
    async *execute(_: unknown, { signal }: ToolContext) {
      try {
        for (let count = 0; ; count += 1) yield await Promise.resolve(count)
      } finally {
        ended.resolve(signal.aborted ? 'aborted' : 'left')
      }
    },
  })
  const workspace = await open([endless])
  const stream = streamCall((onOutput, signal) =>
    workspace.callTool('endless', {}, { onOutput, signal }),
  )
  for await (const output of stream) {
    if (output.ok && output.data === 2) break
  }
  expect(await ended.promise).toBe('aborted')
  await expect.poll(() => workspace.state.calls).toEqual([])
})

test('a call that ends while its output waits to be read still has its answer', async () => {
  const caller = new AbortController()
  const workspace = await open([report])
  const stream = streamCall((onOutput) =>
    workspace.callTool('report', { pages: 3 }, { onOutput, signal: caller.signal }),
  )
  const first = await stream.next()
  caller.abort(new Error('enough'))
  await expect.poll(() => workspace.state.calls).toEqual([])
  expect(first.value).toMatchObject({ data: 'page 1', meta: { preliminary: true } })
  const rest = await all(stream)
  expect(rest).toMatchObject([{ ok: false, error: { type: 'ABORTED' } }])
})

test('the outcome of a background call is sent at the next step, as data', async () => {
  const work = Promise.withResolvers<unknown>()
  const slow = defineTool({
    name: 'slow',
    description: 'Take long.',
    background: true,
    execute: () => work.promise,
  })
  const finish = defineTool({
    name: 'finish',
    description: 'Let the slow one end.',
    execute: async () => {
      work.resolve({ total: 7 })
      await workspace.calls.waitFor('c1')
      return 'ok'
    },
  })
  const workspace = await open([slow, finish])
  const model = scriptedModel([
    [{ id: 'c1', tool: 'slow', input: {} }],
    [{ id: 'c2', tool: 'finish', input: {} }],
    [{ id: 'c3', tool: 'finish', input: {} }],
    'done',
  ])
  await generateText({ model, prompt: 'Go.', stopWhen: isStepCount(5), ...forAiSdk(workspace) })
  const texts = requestsOf(model).map(requestText)
  expect(texts[1]).toContain('{"status":"running","call":"c1"}')
  expect(texts.map((text) => text.split('"total": 7').length - 1)).toEqual([0, 0, 1, 1])
  expect(texts[2]).toContain('## Background results')
})
