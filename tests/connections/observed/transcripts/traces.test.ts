import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenTelemetry } from '@ai-sdk/otel'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import type { Entry } from 'loadout'
import { expect, test } from 'vitest'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { scriptedModel } from '../../wires/ai-sdk/scripted-model.ts'
import { recordTrace } from '../../wires/otel/record-trace.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'

const INPUT = jsonSchema<{ id: string }>({
  type: 'object',
  properties: { id: { type: 'string' } },
})

/** Has a conversation of two turns in which the model calls two tools; one of them fails. */
async function conversation(telemetry: object) {
  const tools = {
    read: tool({ description: 'Reads a note.', inputSchema: INPUT, execute: () => 'a, b' }),
    drop: tool({
      description: 'Drops a note.',
      inputSchema: INPUT,
      execute: (): string => {
        throw new Error('It is locked.')
      },
    }),
  }
  const call = (id: string, name: string) => ({ id, tool: name, input: { id: 'n1' } })
  const model = scriptedModel([[call('c1', 'read')], [call('c2', 'drop')], 'Two notes.', 'Bye.'])
  const common = { model, tools, telemetry, stopWhen: stepCountIs(4) }
  const instructions = 'You keep notes.'
  const asked = { role: 'user', content: 'Which notes?' } as const
  const first = await generateText({ ...common, instructions, messages: [asked] })
  const messages = [asked, ...first.responseMessages, { role: 'user', content: 'Bye.' } as const]
  await generateText({ ...common, instructions, messages })
}

const value = (one: unknown): object =>
  Array.isArray(one)
    ? { arrayValue: { values: one.map(value) } }
    : typeof one === 'number'
      ? { intValue: String(one) }
      : { stringValue: String(one) }

const attributes = (given: object) =>
  Object.entries(given).map(([key, one]) => ({ key, value: value(one) }))

/** Writes spans as an exporter of OTLP in JSON does. */
function otlp(spans: readonly ReadableSpan[]): object {
  const nanoseconds = ([seconds, rest]: readonly [number, number]) =>
    `${seconds}${String(rest).padStart(9, '0')}`
  const written = spans.map((span) => ({
    name: span.name,
    startTimeUnixNano: nanoseconds(span.startTime),
    endTimeUnixNano: nanoseconds(span.endTime),
    attributes: attributes(span.attributes),
    status: span.status,
  }))
  const resource = { attributes: attributes({ 'service.name': 'notes', 'service.version': '1.2' }) }
  return { resourceSpans: [{ resource, scopeSpans: [{ spans: written }] }] }
}

/** Reads a file as the only session of a log. */
async function read(name: string, content: string) {
  const file = join(await temporaryFolder(), name)
  writeFileSync(file, content)
  const log = await readTranscript(file)
  const sessions = (await log?.list()) ?? []
  expect(sessions).toHaveLength(1)
  return log?.read(sessions[0]?.session ?? '') ?? []
}

/** The requests, calls and results of a session, in their order. */
function outline(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap(({ event }) => {
    switch (event.type) {
      case 'turn.begun':
        return ['turn']
      case 'step.begun':
        return [`request with ${event.exposed.map(({ name }) => name).join(', ')}`]
      case 'call.started':
        return [`${event.call}: ${event.tool}`]
      case 'call.ended':
        return [`${event.call} ${event.ok ? 'succeeded' : 'failed'}`]
      case 'step.reported':
        return [`${event.usage.input} tokens`]
      default:
        return []
    }
  })
}

const EXPECTED = [
  'turn',
  'request with read, drop',
  '1 tokens',
  'c1: read',
  'c1 succeeded',
  'request with read, drop',
  '1 tokens',
  'c2: drop',
  'c2 failed',
  'request with read, drop',
  '1 tokens',
  'turn',
  'request with read, drop',
  '1 tokens',
]

test('requests that began at one moment are in their order, whatever that of the file is', async () => {
  const { tracer, spans } = recordTrace()
  await conversation({ integrations: [new OpenTelemetry({ tracer })] })
  const [first] = spans()
  const { startTime } = first as ReadableSpan
  const same = spans().map((span) => Object.create(span, { startTime: { value: startTime } }))
  const content = JSON.stringify(otlp(same.toReversed()))
  expect(outline(await read('same.json', content))).toEqual(EXPECTED)
})

test.each(['one value', 'a value a line'])(
  'spans of the GenAI conventions are a session, in a file of %s',
  async (form) => {
    const { tracer, spans } = recordTrace()
    await conversation({ integrations: [new OpenTelemetry({ tracer })] })
    const all = spans()
    const half = all.length / 2
    const content =
      form === 'one value'
        ? JSON.stringify(otlp(all.toReversed()), null, 2)
        : [...all.slice(half), ...all.slice(0, half), ...Array(200).fill(all[0])]
            .map((span) => JSON.stringify(otlp([span])))
            .join('\n')
    const entries = await read('traces.json', content)
    expect(outline(entries)).toEqual(EXPECTED)
    expect(entries[0]?.event).toMatchObject({ observed: { client: 'notes', version: '1.2' } })
  },
)

const DEV_TOOLS = readFileSync(new URL('ai-sdk/generations.json', import.meta.url), 'utf8')

test('the file of the DevTools of the AI SDK is a session', async () => {
  const entries = await read('generations.json', DEV_TOOLS)
  const expected = EXPECTED.map((line) => line.replace('1 tokens', '10 tokens'))
  expect(outline(entries)).toEqual(expected)
  expect(entries[0]?.event).toMatchObject({ observed: { client: 'ai-sdk' } })
  const reported = entries.flatMap(({ event }) =>
    event.type === 'step.reported' ? [event.usage] : [],
  )
  expect(reported[0]).toMatchObject({ input: 10, cached: 4, output: 3 })
})

test('of a step, the body that was sent counts, and not the call of the model', async () => {
  const { runs, steps } = JSON.parse(DEV_TOOLS) as { runs: unknown; steps: readonly object[] }
  const sent = {
    model: 'claude-opus-5',
    system: 'You keep notes.',
    tools: [{ name: 'other', description: 'Is sent.', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: 'Which notes?' }],
  }
  const step = { ...steps[0], provider: 'anthropic.messages', raw_request: JSON.stringify(sent) }
  const entries = await read('generations.json', JSON.stringify({ runs, steps: [step] }))
  expect(outline(entries)).toEqual(['turn', 'request with other', '10 tokens'])
})

test.each([
  ['no request', { resourceSpans: [{ scopeSpans: [{ spans: [{ attributes: null }] }] }] }],
  ['no span', { resourceSpans: [null, { scopeSpans: 7 }] }],
  ['steps of something else', { runs: [], steps: [{ run_id: 'r', input: '[]' }, null] }],
  [
    'a time after all time',
    { resourceSpans: [{ scopeSpans: [{ spans: [{ startTimeUnixNano: '9'.repeat(30) }] }] }] },
  ],
  ['a time that is none', { steps: [{ run_id: 'r', input: '{}', started_at: 'soon' }] }],
])('a file with %s is no session', async (_, content) => {
  const file = join(await temporaryFolder(), 'traces.json')
  writeFileSync(file, JSON.stringify(content))
  expect(await readTranscript(file)).toBe(null)
})
