import { defineTool, toolsFromAiSdk, type ToolContext } from 'loadout'
import type { CallOutput } from '../../src/tools/definition/tool-context.ts'
import { tool as sdkTool } from 'ai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

const report = defineTool({
  name: 'report',
  description: 'Write a report.',
  outputSchema: z.object({ pages: z.number() }),
  async *execute() {
    yield 'reading'
    yield await Promise.resolve({ written: 1 })
    return { pages: 2 }
  },
})

test('what a handler yields goes to the call’s listener, then to the session’s, and not into the log', async () => {
  const told: string[] = []
  const note =
    (who: string) =>
    ({ output, index, attempt, tool }: CallOutput) =>
      void told.push(`${who}: ${tool} ${index} of attempt ${attempt}: ${JSON.stringify(output)}`)
  const workspace = await aWorkspace({}, { tools: [report], onOutput: note('session') })
  const response = await workspace.callTool(report, {}, { onOutput: note('call') })
  expect(response).toMatchObject({ ok: true, data: { pages: 2 } })
  expect(told).toEqual([
    'call: report 0 of attempt 1: "reading"',
    'session: report 0 of attempt 1: "reading"',
    'call: report 1 of attempt 1: {"written":1}',
    'session: report 1 of attempt 1: {"written":1}',
  ])
  expect(await history(workspace, 2)).toEqual(['call.started global', 'call.ended report'])
  expect(JSON.stringify(await workspace.entries())).not.toContain('reading')
})

test('only the result is checked by the output schema, and its intents are accepted', async () => {
  const workspace = await aWorkspace(
    {},
    {
      tools: [
        aTool('last', {
          outputSchema: z.number(),
          async *execute() {
            yield 'not a number'
            yield await Promise.resolve({
              ok: true as const,
              data: 3,
              intents: [{ type: 'SUPPRESS_AUDIO', when: 'now' as const }],
            })
          },
        } as never),
        aTool('wrong', {
          outputSchema: z.number(),
          async *execute() {
            yield 1
            yield await Promise.resolve('two')
          },
        } as never),
      ],
    },
  )
  expect(await workspace.callTool('last', {})).toMatchObject({
    data: 3,
    intents: [{ type: 'SUPPRESS_AUDIO' }],
  })
  expect(await workspace.callTool('wrong', {})).toMatchObject({
    ok: false,
    error: { type: 'BAD_OUTPUT' },
  })
})

test('a listener that throws, or rejects, holds nothing up', async () => {
  const warned: unknown[] = []
  const collect = (warning: Error) => void warned.push(warning.message)
  process.on('warning', collect)
  const workspace = await aWorkspace(
    {},
    { tools: [report], onOutput: () => Promise.reject(new Error('the socket is closed')) },
  )
  const response = await workspace.callTool(
    'report',
    {},
    {
      onOutput: () => {
        throw new Error('no room')
      },
    },
  )
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', collect)
  expect(response.ok).toBe(true)
  expect(warned).toEqual(expect.arrayContaining(['no room', 'the socket is closed']))
})

test.each<{ what: string; limits: object; says: RegExp }>([
  {
    what: 'outputs',
    limits: { stream: { outputs: 2, bytes: 1_000 }, oversized: 'fail' },
    says: /^The handler streamed more than 2 outputs\. Yield less often/,
  },
  {
    what: 'bytes',
    limits: { stream: { outputs: 10, bytes: 10 }, oversized: 'fail' },
    says: /^The handler streamed more than 10 bytes of JSON\. Yield less often/,
  },
])('a session’s limit of $what ends the generator, and says how to go on', async (given) => {
  let ended = false
  const chatty = aTool('chatty', {
    async *execute() {
      try {
        for (;;) yield await Promise.resolve('word')
      } finally {
        ended = true
      }
    },
  })
  const workspace = await aWorkspace({}, { tools: [chatty], limits: given.limits })
  expect(await workspace.callTool('chatty', {})).toMatchObject({
    ok: false,
    error: { type: 'BAD_OUTPUT', message: expect.stringMatching(given.says) },
  })
  expect(ended).toBe(true)
})

test('a stream ends with its skill, and nothing more is reported of it', async () => {
  const told: unknown[] = []
  let ended = false
  const first = Promise.withResolvers<void>()
  const ticking = aTool('ticking', {
    async *execute(_: unknown, { signal }: ToolContext) {
      try {
        for (let count = 1; ; count += 1) {
          yield count
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        }
      } finally {
        ended = true
      }
    },
  } as never)
  const workspace = await aWorkspace(
    { skills: [aSkill('clocks', { tools: [ticking] })] },
    {
      limits: { drainMs: 0 },
      onOutput: ({ output }) => {
        told.push(output)
        first.resolve()
      },
    },
  )
  await workspace.activateSkill('clocks')
  const call = workspace.callTool('ticking', {})
  await first.promise
  await workspace.deactivateSkill('clocks')
  expect(await call).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  await new Promise((resolve) => setImmediate(resolve))
  expect({ told, ended }).toEqual({ told: [1], ended: true })
})

test('a tool of the AI SDK that streams does so here', async () => {
  const [weather] = toolsFromAiSdk({
    weather: sdkTool({
      description: 'Tell the weather.',
      inputSchema: z.object({ city: z.string() }),
      async *execute({ city }) {
        yield `asking about ${city}`
        yield await Promise.resolve('sunny')
      },
    }),
  })
  if (weather === undefined) throw new Error('no tool')
  const outputs: unknown[] = []
  const workspace = await aWorkspace({}, { tools: [weather] })
  const onOutput = ({ output }: CallOutput) => void outputs.push(output)
  expect(await workspace.callTool('weather', { city: 'Rome' }, { onOutput })).toMatchObject({
    data: 'sunny',
  })
  expect(outputs).toEqual(['asking about Rome', 'sunny'])
})

test('a stream without an end is read until its caller aborts, also over its limits and without a time limit', async () => {
  const ended = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const endless = sdkTool({
    inputSchema: z.object({}),
    async *execute() {
      try {
        for (let index = 0; ; index += 1) {
          yield index
          if (index === 20) over.resolve()
        }
      } finally {
        ended.resolve()
      }
    },
  })
  const workspace = await aWorkspace(
    { tools: toolsFromAiSdk({ endless }) },
    { limits: { stream: { outputs: 3, bytes: 1_000 } } },
  )
  const reported: unknown[] = []
  const aborting = new AbortController()
  const answer = workspace.callTool(
    'endless',
    {},
    { signal: aborting.signal, onOutput: ({ output }) => void reported.push(output) },
  )
  await over.promise
  aborting.abort()
  expect(await answer).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
  await ended.promise
  expect(reported).toEqual([0, 1, 2])
})
