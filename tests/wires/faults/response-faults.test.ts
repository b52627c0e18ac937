import { expect, test } from 'vitest'
import { checkResponse } from '../check-response.ts'
import { RESPONSE_RULES } from '../rules/response-rules.ts'
import { WIRE_FORMS } from '../server/open-wire-server.ts'
import { WIRES, type Wire } from '../wire.ts'
import { goodRequest } from './good-requests.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faults are written into any place of a body
type Sent = any

interface Fault {
  readonly fault: string
  readonly wire: Wire
  readonly streamed: boolean
  readonly check: string
  readonly plant: (sent: Sent) => void
}

/** A good answer with thinking, text and two calls: a body, or the list of its events. */
function goodAnswer(wire: Wire, streamed: boolean): Sent {
  const answer = {
    thinking: 'Two orders.',
    text: 'I look at both.',
    calls: [
      { name: 'refund', input: { order: '7' }, id: 'new_1' },
      { name: 'refund', input: { order: '8' }, id: 'new_2' },
    ],
    usage: { input: 100, cached: 60, output: 9 },
  }
  const context = { wire, body: goodRequest(wire).body, number: 1 }
  const form = WIRE_FORMS[wire]
  return structuredClone(streamed ? form.events(answer, context) : form.response(answer, context))
}

/** The first event of a stream that has this type. */
const eventOf = (events: Sent, type: string): Sent =>
  events.find(({ data }: Sent) => data.type === type).data

/** The chunks of a chat stream that carry a part of a call. */
const callChunks = (events: Sent): Sent[] =>
  events
    .filter(({ data }: Sent) => data.choices?.[0]?.delta.tool_calls)
    .map(({ data }: Sent) => data.choices[0].delta.tool_calls[0])

const FAULTS: readonly Fault[] = [
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'schema',
    fault: 'the output has the text of the client',
    plant: (b) => {
      b.output_text = ''
    },
  },
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'schema',
    fault: 'a call has no call_id',
    plant: (b) => {
      delete b.output[2].call_id
    },
  },
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'answer-call-id-once',
    fault: 'two calls have one id',
    plant: (b) => {
      b.output[3].call_id = 'new_1'
    },
  },
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'answer-call-id-once',
    fault: 'a call has the id of an earlier call',
    plant: (b) => {
      b.output[3].call_id = 'call_1'
    },
  },
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'answer-arguments-are-json',
    fault: 'arguments are cut, the answer is not',
    plant: (b) => {
      b.output[3].arguments = '{"order":'
    },
  },
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'stop-fits-the-answer',
    fault: 'it is incomplete for no reason',
    plant: (b) => {
      b.status = 'incomplete'
    },
  },
  {
    wire: 'openai-responses',
    streamed: false,
    check: 'usage-adds-up',
    fault: 'more tokens are cached than read',
    plant: (b) => {
      b.usage.input_tokens_details.cached_tokens = 101
    },
  },
  {
    wire: 'openai-responses',
    streamed: true,
    check: 'schema',
    fault: 'an event has a type that is not there',
    plant: (e) => {
      e[2].data.type = 'response.output_item.begun'
    },
  },
  {
    wire: 'openai-responses',
    streamed: true,
    check: 'event-order',
    fault: 'an event is lost',
    plant: (e) => {
      e.splice(3, 1)
    },
  },
  {
    wire: 'openai-responses',
    streamed: true,
    check: 'event-order',
    fault: 'the last event is lost',
    plant: (e) => {
      e.pop()
    },
  },
  {
    wire: 'openai-responses',
    streamed: true,
    check: 'deltas-add-up',
    fault: 'the arguments differ from their parts',
    plant: (e) => {
      eventOf(e, 'response.function_call_arguments.done').arguments = '{}'
    },
  },
  {
    wire: 'openai-responses',
    streamed: true,
    check: 'deltas-add-up',
    fault: 'the last body differs from its items',
    plant: (e) => {
      e.at(-1).data.response.output[2].name = 'look'
    },
  },
  {
    wire: 'openai-chat',
    streamed: false,
    check: 'schema',
    fault: 'a call has no type',
    plant: (b) => {
      delete b.choices[0].message.tool_calls[0].type
    },
  },
  {
    wire: 'openai-chat',
    streamed: false,
    check: 'stop-fits-the-answer',
    fault: 'it stops by itself with calls',
    plant: (b) => {
      b.choices[0].finish_reason = 'stop'
    },
  },
  {
    wire: 'openai-chat',
    streamed: false,
    check: 'answer-call-id-once',
    fault: 'two calls have one id',
    plant: (b) => {
      b.choices[0].message.tool_calls[1].id = 'new_1'
    },
  },
  {
    wire: 'openai-chat',
    streamed: false,
    check: 'usage-adds-up',
    fault: 'the total is wrong',
    plant: (b) => {
      b.usage.total_tokens = 1
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'schema',
    fault: 'a call has no index',
    plant: (e) => {
      delete callChunks(e)[0].index
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'schema',
    fault: 'arguments are an object',
    plant: (e) => {
      callChunks(e)[1].function.arguments = { order: '7' }
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'event-order',
    fault: 'there is no role',
    plant: (e) => {
      delete e[0].data.choices[0].delta.role
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'event-order',
    fault: 'there is no end marker',
    plant: (e) => {
      e.pop()
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'event-order',
    fault: 'it never finishes',
    plant: (e) => {
      for (const { data } of e) if (data.choices?.[0]) data.choices[0].finish_reason = null
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'calls-are-numbered',
    fault: 'both calls have the index 0',
    plant: (e) => {
      for (const part of callChunks(e)) part.index = 0
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'calls-are-numbered',
    fault: 'a call has no id',
    plant: (e) => {
      delete callChunks(e)[0].id
    },
  },
  {
    wire: 'openai-chat',
    streamed: true,
    check: 'answer-arguments-are-json',
    fault: 'a part of the arguments is lost',
    plant: (e) => {
      callChunks(e)[1].function.arguments = ''
    },
  },
  {
    wire: 'anthropic',
    streamed: false,
    check: 'schema',
    fault: 'an input is missing',
    plant: (b) => {
      delete b.content[2].input
    },
  },
  {
    wire: 'anthropic',
    streamed: false,
    check: 'stop-fits-the-answer',
    fault: 'it stops by tool_use without a call',
    plant: (b) => {
      b.content.length = 2
    },
  },
  {
    wire: 'anthropic',
    streamed: false,
    check: 'answer-call-id-once',
    fault: 'a call has the id of an earlier call',
    plant: (b) => {
      b.content[2].id = 'toolu_1'
    },
  },
  {
    wire: 'anthropic',
    streamed: false,
    check: 'answer-arguments-are-json',
    fault: 'an input is a text',
    plant: (b) => {
      b.content[2].input = '{'
    },
  },
  {
    wire: 'anthropic',
    streamed: true,
    check: 'schema',
    fault: 'a delta has a type that is not there',
    plant: (e) => {
      eventOf(e, 'content_block_delta').delta = { type: 'json_delta', json: '' }
    },
  },
  {
    wire: 'anthropic',
    streamed: true,
    check: 'event-order',
    fault: 'a block is not closed',
    plant: (e) => {
      e.splice(e.indexOf(e.find(({ data }: Sent) => data.type === 'content_block_stop')), 1)
    },
  },
  {
    wire: 'anthropic',
    streamed: true,
    check: 'event-order',
    fault: 'the message does not stop',
    plant: (e) => {
      e.pop()
    },
  },
  {
    wire: 'anthropic-beta',
    streamed: false,
    check: 'schema',
    fault: 'the usage is that of the stable form',
    plant: (b) => {
      delete b.usage.iterations
    },
  },
  {
    wire: 'anthropic-beta',
    streamed: true,
    check: 'event-order',
    fault: 'two blocks have one index',
    plant: (e) => {
      for (const { data } of e) if (data.index === 3) data.index = 2
    },
  },
  {
    wire: 'anthropic-beta',
    streamed: true,
    check: 'answer-arguments-are-json',
    fault: 'a part of the input is lost',
    plant: (e) => {
      e.find(({ data }: Sent) => data.delta?.type === 'input_json_delta').data.delta.partial_json =
        ''
    },
  },
]

const FORMS = WIRES.flatMap((wire) => [
  { wire, streamed: false },
  { wire, streamed: true },
])

test.each(FORMS)(
  'the answer of $wire without a fault is accepted (streamed: $streamed)',
  async ({ wire, streamed }) => {
    expect(await checkResponse(goodRequest(wire), goodAnswer(wire, streamed))).toEqual([])
  },
)

test.each(FAULTS)(
  '$wire, streamed $streamed: $fault ($check)',
  async ({ wire, streamed, check, plant }) => {
    const sent = goodAnswer(wire, streamed)
    plant(sent)
    const found = await checkResponse(goodRequest(wire), sent)
    expect(found.map((violation) => violation.check)).toContain(check)
  },
)

test('every rule for responses has a source and a planted fault', () => {
  const caught = new Set(FAULTS.map(({ check }) => check))
  expect(RESPONSE_RULES.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([])
  expect(RESPONSE_RULES.filter(({ source }) => source.length < 20)).toEqual([])
  console.log(`${FAULTS.length} planted faults of responses, ${RESPONSE_RULES.length} rules`)
})
