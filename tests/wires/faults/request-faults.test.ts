import { expect, test } from 'vitest'
import { checkRequest } from '../check-request.ts'
import { REQUEST_RULES } from '../rules/request-rules.ts'
import { WIRES, type Wire } from '../wire.ts'
import { goodRequest } from './good-requests.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- faults are written into any place of a body
type Body = any

interface Fault {
  readonly fault: string
  readonly wire: Wire
  readonly check: string
  readonly plant: (body: Body) => void
  /** The betas of the request, where they are the fault. */
  readonly betas?: readonly string[]
}

const deep = (levels: number): object => ({
  type: 'object',
  properties: levels === 1 ? {} : { inner: deep(levels - 1) },
  required: levels === 1 ? [] : ['inner'],
  additionalProperties: false,
})

const picture = (media_type: string, data: string) => {
  return { type: 'image', source: { type: 'base64', media_type, data } }
}

const base64 = 'iVBORw0KGgo'.repeat(60)

const FAULTS: readonly Fault[] = [
  // What the types say.
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'a member is spelled wrong',
    plant: (b) => {
      b.tools[0].defer_loding = true
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'a tool has no type',
    plant: (b) => {
      delete b.tools[0].type
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'the name is nested as in Chat Completions',
    plant: (b) => {
      b.tools[0] = { type: 'function', function: { name: 'refund', parameters: {} } }
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'additional tools are given by the user',
    plant: (b) => {
      b.input[8].role = 'user'
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'an output is an object',
    plant: (b) => {
      b.input[4].output = { ok: true }
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'arguments are an object',
    plant: (b) => {
      b.input[2].arguments = { order: '7' }
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'a streamed item is sent back with what the helper added',
    plant: (b) => {
      b.input[2].parsed_arguments = {}
    },
  },
  {
    wire: 'openai-responses',
    check: 'schema',
    fault: 'a namespace has no description',
    plant: (b) => {
      delete b.tools[2].description
    },
  },
  {
    wire: 'openai-chat',
    check: 'schema',
    fault: 'deferral is asked of a wire without it',
    plant: (b) => {
      b.tools[0].function.defer_loading = true
    },
  },
  {
    wire: 'openai-chat',
    check: 'schema',
    fault: 'additional tools are sent to a wire without them',
    plant: (b) => {
      b.messages.push({ type: 'additional_tools', role: 'developer', tools: [] })
    },
  },
  {
    wire: 'openai-chat',
    check: 'schema',
    fault: 'a tool message has an image',
    plant: (b) => {
      b.messages[3].content = [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }]
    },
  },
  {
    wire: 'openai-chat',
    check: 'schema',
    fault: 'a tool message names no call',
    plant: (b) => {
      delete b.messages[3].tool_call_id
    },
  },
  {
    wire: 'anthropic',
    check: 'schema',
    fault: 'a schema has the name of another wire',
    plant: (b) => {
      b.tools[1] = { name: 'look', parameters: { type: 'object' } }
    },
  },
  {
    wire: 'anthropic',
    check: 'schema',
    fault: 'a schema has the name that the library uses',
    plant: (b) => {
      b.tools[1] = { name: 'look', inputSchema: { type: 'object' } }
    },
  },
  {
    wire: 'anthropic',
    check: 'schema',
    fault: 'a tool is added without the beta',
    plant: (b) => {
      b.messages.push({
        role: 'system',
        content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'later' } }],
      })
    },
  },
  {
    wire: 'anthropic',
    check: 'schema',
    fault: 'a schema has another type than object',
    plant: (b) => {
      b.tools[1].input_schema = { type: 'array' }
    },
  },
  {
    wire: 'anthropic',
    check: 'schema',
    fault: 'max_tokens is missing',
    plant: (b) => {
      delete b.max_tokens
    },
  },
  {
    wire: 'anthropic',
    check: 'schema',
    fault: 'betas are sent in the body',
    plant: (b) => {
      b.betas = []
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'schema',
    fault: 'betas are sent in the body',
    plant: (b) => {
      b.betas = ['inline-tools-2026-09-15']
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'schema',
    fault: 'a removal defines a tool',
    plant: (b) => {
      b.messages[4].content[0].tool = {
        type: 'tool_definition',
        definition: { name: 'wrap', input_schema: { type: 'object' } },
      }
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'schema',
    fault: 'a message is cleared at a time that is not there',
    plant: (b) => {
      b.messages[5].clear_at = 'next_step'
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'schema',
    fault: 'a reference has the member of the other reference',
    plant: (b) => {
      b.messages[1].content[0].tool = { type: 'tool_reference', tool_name: 'later' }
    },
  },
  // Tools.
  {
    wire: 'openai-responses',
    check: 'plain-top',
    fault: 'the parameters of an added tool are one of several objects',
    plant: (b) => {
      b.input[8].tools[0].parameters.anyOf = [{ required: ['a'] }]
    },
  },
  {
    wire: 'openai-chat',
    check: 'plain-top',
    fault: 'the parameters exclude an object',
    plant: (b) => {
      b.tools[0].function.parameters.not = { required: ['a'] }
    },
  },
  {
    wire: 'anthropic',
    check: 'plain-top',
    fault: 'the input is all of several objects',
    plant: (b) => {
      b.tools[1].input_schema.allOf = [{ required: ['a'] }]
    },
  },
  {
    wire: 'openai-responses',
    check: 'tool-name',
    fault: 'a name has a dot',
    plant: (b) => {
      b.tools[1].name = 'fs.read_file'
    },
  },
  {
    wire: 'openai-responses',
    check: 'tool-name',
    fault: 'an added tool has a name that is too long',
    plant: (b) => {
      b.input[8].tools[0].name = 'a'.repeat(65)
    },
  },
  {
    wire: 'openai-responses',
    check: 'tool-name',
    fault: 'a namespace has a space',
    plant: (b) => {
      b.tools[2].name = 'my mail'
    },
  },
  {
    wire: 'openai-chat',
    check: 'tool-name',
    fault: 'a name is not Latin',
    plant: (b) => {
      b.tools[0].function.name = 'возврат'
    },
  },
  {
    wire: 'anthropic',
    check: 'tool-name',
    fault: 'a name has a slash',
    plant: (b) => {
      b.tools[1].name = 'skill/look'
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'tool-name',
    fault: 'a tool by value has a colon',
    plant: (b) => {
      b.messages[1].content[1].tool.definition.name = 'gh:wrap'
    },
  },
  {
    wire: 'openai-responses',
    check: 'tool-names-once',
    fault: 'two tools have one name',
    plant: (b) => {
      b.tools.push({ ...b.tools[0], strict: false })
    },
  },
  {
    wire: 'openai-chat',
    check: 'tool-names-once',
    fault: 'two tools have one name',
    plant: (b) => {
      b.tools.push(b.tools[0])
    },
  },
  {
    wire: 'anthropic',
    check: 'tool-names-once',
    fault: 'two tools have one name',
    plant: (b) => {
      b.tools.push({ name: 'later', input_schema: { type: 'object' } })
    },
  },
  {
    wire: 'openai-responses',
    check: 'added-tools-are-new',
    fault: 'a tool of the list is added',
    plant: (b) => {
      b.input[8].tools[0].name = 'refund'
    },
  },
  {
    wire: 'openai-responses',
    check: 'added-tools-are-new',
    fault: 'a tool is added twice',
    plant: (b) => {
      b.input.push(b.input[8])
    },
  },
  {
    wire: 'openai-responses',
    check: 'parameters-are-an-object',
    fault: 'parameters are a union',
    plant: (b) => {
      b.tools[1].parameters = { anyOf: [{ type: 'object' }] }
    },
  },
  {
    wire: 'openai-chat',
    check: 'parameters-are-an-object',
    fault: 'parameters are a list',
    plant: (b) => {
      b.tools[1].function.parameters = { type: 'array' }
    },
  },
  {
    wire: 'openai-responses',
    check: 'strict-schema',
    fault: 'a property of a strict schema is optional',
    plant: (b) => {
      b.tools[0].parameters.required = ['order']
    },
  },
  {
    wire: 'openai-responses',
    check: 'strict-schema',
    fault: 'a strict object is open',
    plant: (b) => {
      delete b.tools[0].parameters.additionalProperties
    },
  },
  {
    wire: 'openai-chat',
    check: 'strict-schema',
    fault: 'an inner object of a strict schema is open',
    plant: (b) => {
      b.tools[0].function.parameters.properties.order = {
        anyOf: [{ type: 'object', properties: {} }, { type: 'null' }],
      }
    },
  },
  {
    wire: 'openai-chat',
    check: 'strict-schema',
    fault: 'a strict schema is eleven objects deep',
    plant: (b) => {
      b.tools[0].function.parameters = deep(11)
    },
  },
  {
    wire: 'openai-chat',
    check: 'strict-schema',
    fault: 'a strict schema joins others',
    plant: (b) => {
      b.tools[0].function.parameters.allOf = []
    },
  },
  {
    wire: 'openai-responses',
    check: 'strict-schema',
    fault: 'a strict schema has too many values',
    plant: (b) => {
      b.tools[0].parameters.properties.order.enum = Array.from({ length: 1001 }, String)
    },
  },
  {
    wire: 'anthropic',
    check: 'strict-schema',
    fault: 'a strict object is open',
    plant: (b) => {
      delete b.tools[0].input_schema.additionalProperties
    },
  },
  ...(['openai-responses', 'openai-chat', 'anthropic', 'anthropic-beta'] as const).map(
    (wire): Fault => ({
      wire,
      check: 'texts-are-well-formed',
      fault: 'a text ends inside an emoji',
      plant: (b) => {
        b.metadata = { note: 'cut \ud83d' }
      },
    }),
  ),
  {
    wire: 'openai-chat',
    check: 'texts-are-well-formed',
    fault: 'arguments have half of a pair',
    plant: (b) => {
      b.metadata = { note: JSON.stringify({ a: '\ud83d' }) }
    },
  },
  {
    wire: 'openai-responses',
    check: 'objects-have-properties',
    fault: 'an object of the branch of an argument has no properties',
    plant: (b) => {
      b.tools[1].parameters.properties.order = { anyOf: [{ type: ['null', 'object'] }] }
    },
  },
  {
    wire: 'openai-chat',
    check: 'arrays-have-items',
    fault: 'a list among the definitions has no items',
    plant: (b) => {
      b.tools[0].function.parameters.$defs = { list: { type: 'array' } }
    },
  },
  {
    wire: 'anthropic',
    check: 'items-is-one-schema',
    fault: 'a list has its places as in draft 7',
    plant: (b) => {
      b.tools[0].input_schema.properties.order = { type: 'array', items: [{ type: 'string' }] }
    },
  },
  {
    wire: 'anthropic',
    check: 'property-keys',
    fault: 'an inner key begins with $',
    plant: (b) => {
      b.tools[0].input_schema.properties.order = { type: 'object', properties: { $top: {} } }
    },
  },
  {
    wire: 'openai-responses',
    check: 'references-lead-somewhere',
    fault: 'a definition is missing',
    plant: (b) => {
      b.tools[0].parameters.properties.order = { $ref: '#/$defs/order' }
    },
  },
  {
    wire: 'anthropic',
    check: 'strict-keywords',
    fault: 'a strict number has a limit',
    plant: (b) => {
      b.tools[0].input_schema.properties.order = { type: 'number', minimum: 1 }
    },
  },
  {
    wire: 'openai-responses',
    check: 'patterns',
    fault: 'a pattern looks ahead',
    plant: (b) => {
      b.tools[1].parameters.properties.order = { type: 'string', pattern: '^(?=a)b' }
    },
  },
  {
    wire: 'anthropic',
    check: 'strict-patterns',
    fault: 'a strict pattern looks ahead',
    plant: (b) => {
      b.tools[0].input_schema.properties.order = { type: 'string', pattern: '^(?=a)b' }
    },
  },
  {
    wire: 'openai-chat',
    check: 'number-of-tools',
    fault: 'there are 129 tools',
    plant: (b) => {
      for (let n = b.tools.length; n < 129; n += 1)
        b.tools.push({ type: 'function', function: { name: `t${n}` } })
    },
  },
  {
    wire: 'openai-responses',
    check: 'chosen-tool-is-there',
    fault: 'a tool is allowed that is not there',
    plant: (b) => {
      b.tool_choice.tools[0].name = 'gone'
    },
  },
  {
    wire: 'openai-chat',
    check: 'chosen-tool-is-there',
    fault: 'a tool is chosen that is not there',
    plant: (b) => {
      b.tool_choice.function.name = 'gone'
    },
  },
  {
    wire: 'anthropic',
    check: 'chosen-tool-is-there',
    fault: 'a tool is chosen that is not there',
    plant: (b) => {
      b.tool_choice = { type: 'tool', name: 'gone' }
    },
  },
  {
    wire: 'openai-responses',
    check: 'deferred-tools-need-a-search',
    fault: 'nothing can find a deferred tool',
    plant: (b) => {
      b.tools.pop()
    },
  },
  {
    wire: 'anthropic',
    check: 'not-all-deferred',
    fault: 'all tools are deferred',
    plant: (b) => {
      for (const tool of b.tools) tool.defer_loading = true
    },
  },
  {
    wire: 'anthropic',
    check: 'deferred-tool-has-no-cache-mark',
    fault: 'a deferred tool is a breakpoint',
    plant: (b) => {
      b.tools[0].defer_loading = true
    },
  },
  {
    wire: 'anthropic',
    check: 'references-are-known',
    fault: 'a result refers to a tool that is not there',
    plant: (b) => {
      b.tools.pop()
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'references-are-known',
    fault: 'an addition refers to a tool that is not there',
    plant: (b) => {
      b.messages[1].content[0].tool.name = 'gone'
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'references-are-known',
    fault: 'a removal comes before the addition',
    plant: (b) => {
      b.messages[1].content.unshift({
        type: 'tool_removal',
        tool: { type: 'tool_reference', name: 'wrap' },
      })
    },
  },
  {
    wire: 'openai-responses',
    check: 'namespaces-are-not-empty',
    fault: 'a namespace is empty',
    plant: (b) => {
      b.tools[2].tools = []
    },
  },
  // Calls and results.
  {
    wire: 'openai-responses',
    check: 'result-for-each-call',
    fault: 'a call has no result',
    plant: (b) => {
      b.input.splice(4, 1)
    },
  },
  {
    wire: 'openai-responses',
    check: 'result-for-each-call',
    fault: 'a search of the client has no result',
    plant: (b) => {
      b.input.splice(7, 1)
    },
  },
  {
    wire: 'openai-chat',
    check: 'result-for-each-call',
    fault: 'one of two parallel calls has no result',
    plant: (b) => {
      b.messages.splice(4, 1)
    },
  },
  {
    wire: 'anthropic',
    check: 'result-for-each-call',
    fault: 'one of two parallel calls has no result',
    plant: (b) => {
      b.messages[2].content.splice(1, 1)
    },
  },
  {
    wire: 'openai-responses',
    check: 'call-for-each-result',
    fault: 'a result has an unknown id',
    plant: (b) => {
      b.input[4].call_id = 'call_9'
    },
  },
  {
    wire: 'openai-chat',
    check: 'call-for-each-result',
    fault: 'the call of a result was trimmed',
    plant: (b) => {
      b.messages.splice(2, 1)
    },
  },
  {
    wire: 'anthropic',
    check: 'call-for-each-result',
    fault: 'the call of a result was trimmed',
    plant: (b) => {
      b.messages.splice(0, 2)
    },
  },
  {
    wire: 'openai-responses',
    check: 'call-for-each-result',
    fault: 'a result comes before its call',
    plant: (b) => {
      b.input.splice(2, 0, ...b.input.splice(4, 1))
    },
  },
  {
    wire: 'openai-responses',
    check: 'one-result-per-call',
    fault: 'a call has two results',
    plant: (b) => {
      b.input.push(b.input[4])
    },
  },
  {
    wire: 'openai-chat',
    check: 'one-result-per-call',
    fault: 'a call has two results',
    plant: (b) => {
      b.messages.splice(4, 0, b.messages[3])
    },
  },
  {
    wire: 'anthropic',
    check: 'one-result-per-call',
    fault: 'a call has two results',
    plant: (b) => {
      b.messages[2].content.unshift(b.messages[2].content[0])
    },
  },
  {
    wire: 'openai-responses',
    check: 'call-id-once',
    fault: 'two calls have one id',
    plant: (b) => {
      b.input[3].call_id = 'call_1'
    },
  },
  {
    wire: 'openai-chat',
    check: 'call-id-once',
    fault: 'two calls have one id',
    plant: (b) => {
      b.messages[2].tool_calls[1].id = 'call_1'
    },
  },
  {
    wire: 'anthropic',
    check: 'call-id-once',
    fault: 'two calls have one id',
    plant: (b) => {
      b.messages[1].content[2].id = 'toolu_1'
    },
  },
  {
    wire: 'openai-responses',
    check: 'result-of-the-same-kind',
    fault: 'a search is answered as a function',
    plant: (b) => {
      b.input[7] = { type: 'function_call_output', call_id: 'call_3', output: '' }
    },
  },
  {
    wire: 'openai-chat',
    check: 'results-right-after-calls',
    fault: 'a user speaks between a call and its results',
    plant: (b) => {
      b.messages.splice(3, 0, { role: 'user', content: 'Wait.' })
    },
  },
  {
    wire: 'anthropic',
    check: 'results-right-after-calls',
    fault: 'a user speaks between a call and its results',
    plant: (b) => {
      b.messages.splice(2, 0, { role: 'user', content: 'Wait.' })
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'results-right-after-calls',
    fault: 'tools change between a call and its result',
    plant: (b) => {
      b.messages.splice(3, 0, b.messages.splice(4, 1)[0])
    },
  },
  {
    wire: 'anthropic',
    check: 'results-first-in-message',
    fault: 'a text comes before the results',
    plant: (b) => {
      b.messages[2].content.reverse()
    },
  },
  {
    wire: 'anthropic',
    check: 'call-input-is-an-object',
    fault: 'an input is a text',
    plant: (b) => {
      b.messages[1].content[1].input = '{"order":'
    },
  },
  {
    wire: 'openai-chat',
    check: 'arguments-are-json',
    fault: 'arguments are cut',
    plant: (b) => {
      b.messages[2].tool_calls[0].function.arguments = '{"order":'
    },
  },
  {
    wire: 'openai-responses',
    check: 'arguments-are-json',
    fault: 'arguments are cut',
    plant: (b) => {
      b.input[2].arguments = '{"order":'
    },
  },
  {
    wire: 'anthropic',
    check: 'call-id-form',
    fault: 'an id has a dot',
    plant: (b) => {
      b.messages[1].content[1].id = 'call.1'
      b.messages[2].content[0].tool_use_id = 'call.1'
    },
  },
  {
    wire: 'openai-chat',
    check: 'call-id-form',
    fault: 'an id is too long',
    plant: (b) => {
      const id = 'a'.repeat(41)
      b.messages[2].tool_calls[0].id = id
      b.messages[3].tool_call_id = id
    },
  },
  {
    wire: 'openai-responses',
    check: 'call-name',
    fault: 'a model called a tool by a name with a dot',
    plant: (b) => {
      b.input[3].name = 'shop.refund'
    },
  },
  {
    wire: 'openai-chat',
    check: 'call-name',
    fault: 'a call has no name',
    plant: (b) => {
      b.messages[2].tool_calls[0].function.name = ''
    },
  },
  {
    wire: 'anthropic',
    check: 'call-name',
    fault: 'a name is too long',
    plant: (b) => {
      b.messages[1].content[1].name = 'a'.repeat(65)
    },
  },
  // Messages and marks.
  {
    wire: 'anthropic-beta',
    check: 'tool-changes-before-an-answer',
    fault: 'the user speaks after a change of tools',
    plant: (b) => {
      b.messages.push({ role: 'user', content: 'And?' })
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'tool-changes-after-the-user',
    fault: 'tools change after a turn that paused',
    plant: (b) => {
      b.messages.push(
        { role: 'assistant', content: 'Wait.' },
        { role: 'system', content: b.messages[1].content },
      )
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'tool-changes-in-system-messages',
    fault: 'the user changes tools',
    plant: (b) => {
      b.messages[4].role = 'user'
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'beta-is-asked-for',
    fault: 'a tool by value without its beta',
    betas: [
      'mid-conversation-tool-changes-2026-07-01',
      'mid-conversation-system-clear-at-2026-08-21',
    ],
    plant: () => {},
  },
  {
    wire: 'anthropic-beta',
    check: 'beta-is-asked-for',
    fault: 'a message is cleared without its beta',
    betas: ['inline-tools-2026-09-15'],
    plant: () => {},
  },
  {
    wire: 'anthropic',
    check: 'cache-breakpoints',
    fault: 'there are five breakpoints',
    plant: (b) => {
      b.tools[1].cache_control = { type: 'ephemeral' }
    },
  },
  {
    wire: 'anthropic',
    check: 'cache-mark-place',
    fault: 'an empty text is a breakpoint',
    plant: (b) => {
      b.messages[2].content[2].text = ''
    },
  },
  {
    wire: 'anthropic',
    check: 'text-is-not-empty',
    fault: 'a text is empty',
    plant: (b) => {
      b.messages[2].content[2].text = ''
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'text-is-not-empty',
    fault: 'a message has no content',
    plant: (b) => {
      b.messages[4].content = []
    },
  },
  {
    wire: 'anthropic',
    check: 'first-message',
    fault: 'the assistant speaks first',
    plant: (b) => {
      b.messages.splice(0, 1)
    },
  },
  {
    wire: 'anthropic',
    check: 'thinking-budget',
    fault: 'the budget is not less than max_tokens',
    plant: (b) => {
      b.max_tokens = 2048
    },
  },
  {
    wire: 'openai-chat',
    check: 'assistant-says-something',
    fault: 'the assistant says nothing',
    plant: (b) => {
      b.messages[5].content = null
    },
  },
  {
    wire: 'openai-chat',
    check: 'stream-options',
    fault: 'stream options without a stream',
    plant: (b) => {
      delete b.stream
    },
  },
  {
    wire: 'openai-responses',
    check: 'one-kind-of-state',
    fault: 'two kinds of kept state',
    plant: (b) => {
      b.previous_response_id = 'resp_1'
      b.conversation = 'conv_1'
    },
  },
  {
    wire: 'openai-responses',
    check: 'item-id-form',
    fault: 'an item has the id of its call',
    plant: (b) => {
      b.input[2].id = 'call_1'
    },
  },
  {
    wire: 'openai-responses',
    check: 'reasoning-is-kept-whole',
    fault: 'reasoning without what it led to',
    plant: (b) => {
      b.input.splice(2, 6)
    },
  },
  {
    wire: 'openai-responses',
    check: 'reasoning-is-kept-whole',
    fault: 'reasoning lost its encrypted content',
    plant: (b) => {
      delete b.input[1].encrypted_content
    },
  },
  {
    wire: 'openai-responses',
    check: 'item-reference-is-kept',
    fault: 'a reference names an item that is not kept',
    plant: (b) => {
      b.input.push({ type: 'item_reference', id: 'msg_9' })
    },
  },
  {
    wire: 'openai-responses',
    check: 'no-base64-in-text',
    fault: 'a picture is the text of an output',
    plant: (b) => {
      b.input[4].output = JSON.stringify({ type: 'image', data: base64 })
    },
  },
  {
    wire: 'openai-chat',
    check: 'no-base64-in-text',
    fault: 'a picture is the text of a tool message',
    plant: (b) => {
      b.messages[3].content = `data:image/png;base64,${base64}`
    },
  },
  {
    wire: 'anthropic',
    check: 'no-base64-in-text',
    fault: 'a picture is the text of a result',
    plant: (b) => {
      b.messages[2].content[0].content = [{ type: 'text', text: base64 }]
    },
  },
  {
    wire: 'anthropic',
    check: 'data-is-what-its-type-says',
    fault: 'a PNG has the type of a JPEG',
    plant: (b) => {
      b.messages[2].content[0].content = [picture('image/jpeg', base64)]
    },
  },
  {
    wire: 'openai-chat',
    check: 'data-is-what-its-type-says',
    fault: 'a text is an image',
    plant: (b) => {
      const url = `data:image/png;base64,${Buffer.from('No image.').toString('base64')}`
      b.messages.push({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
    },
  },
  {
    wire: 'openai-responses',
    check: 'data-is-what-its-type-says',
    fault: 'an image is empty',
    plant: (b) => {
      b.input[4].output = [{ type: 'input_image', image_url: 'data:image/png;base64,' }]
    },
  },
  {
    wire: 'anthropic-beta',
    check: 'images-are-not-too-large',
    fault: 'an image has more than 10 MB of base64',
    plant: (b) => {
      b.messages[2].content[0].content = [
        picture('image/png', `iVBORw0KGgo${'A'.repeat(10_485_760)}`),
      ]
    },
  },
  ...Object.entries({
    schema: (b: Body) => {
      b.contents[0].text = 'Refund 7.'
    },
    'gemini-names': (b: Body) => {
      b.tools[0].functionDeclarations[0].name = '7 refunds'
    },
    'gemini-declarations-at-most-512': (b: Body) => {
      b.tools[0].functionDeclarations = Array(513).fill(b.tools[0].functionDeclarations[0])
    },
    'gemini-references-alone': (b: Body) => {
      const { properties } = b.tools[0].functionDeclarations[0].parametersJsonSchema
      properties.order = { $ref: '#/$defs/order', description: 'One.' }
    },
    'gemini-parameters-are-an-object': (b: Body) => {
      delete b.tools[0].functionDeclarations[1].parametersJsonSchema.type
    },
    'gemini-results-follow-their-calls': (b: Body) => {
      b.contents[2].parts.pop()
    },
    'gemini-results-alone': (b: Body) => {
      b.contents[2].parts.push({ text: 'Both.' })
    },
    'gemini-signature-of-the-first-call': (b: Body) => {
      delete b.contents[1].parts[1].thoughtSignature
    },
    'gemini-parts-have-content': (b: Body) => {
      b.contents[0].parts.push({ text: '' })
    },
    'gemini-ids-are-those-of-the-provider': (b: Body) => {
      b.contents[1].parts[2].functionCall.id = `call_${'7'.repeat(24)}`
    },
  }).map(([check, plant]): Fault => ({ wire: 'gemini', check, fault: 'one is planted', plant })),
]

test.each<Wire>([...WIRES, 'gemini'])(
  'the request of %s without a fault is accepted',
  async (wire) => {
    expect(await checkRequest(goodRequest(wire))).toEqual([])
  },
)

test.each(FAULTS)('$wire: $fault ($check)', async ({ wire, check, plant, betas }) => {
  const request = goodRequest(wire)
  plant(request.body)
  const earlier = { ...request.earlier, stored: new Map() }
  const found = await checkRequest({ ...request, earlier, betas: betas ?? request.betas })
  expect(found.map((violation) => violation.check)).toContain(check)
})

test('every rule for requests has a source and a planted fault', () => {
  const caught = new Set(FAULTS.map(({ check }) => check))
  expect(REQUEST_RULES.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([])
  expect(REQUEST_RULES.filter(({ source }) => source.length < 20)).toEqual([])
  console.log(`${FAULTS.length} planted faults of requests, ${REQUEST_RULES.length} rules`)
})
