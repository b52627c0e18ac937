import { NOTHING_EARLIER, type RequestToCheck } from '../check-request.ts'
import type { Wire } from '../wire.ts'

const schema = () => ({
  type: 'object',
  properties: { order: { type: 'string' }, deep: { type: ['boolean', 'null'] } },
  required: ['order', 'deep'],
  additionalProperties: false,
})

/** A request of each wire with all that the rules look at, made new at each call. */
export function goodRequest(wire: Wire): RequestToCheck & { readonly body: Body } {
  return structuredClone({ ...GOOD[wire], wire, earlier: NOTHING_EARLIER })
}

/** Loose on purpose: faults are planted anywhere in it. */
// oxlint-disable-next-line typescript/no-explicit-any -- faults are written into any place of a body
type Body = any

const GOOD: Readonly<Record<Wire, { readonly body: Body; readonly betas: readonly string[] }>> = {
  'openai-responses': {
    betas: [],
    body: {
      model: 'gpt',
      instructions: 'Be kind.',
      store: false,
      include: ['reasoning.encrypted_content'],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'refund' }],
      },
      tools: [
        { type: 'function', name: 'refund', parameters: schema(), strict: true },
        {
          type: 'function',
          name: 'later',
          parameters: schema(),
          strict: false,
          defer_loading: true,
        },
        {
          type: 'namespace',
          name: 'mail',
          description: 'Mail.',
          tools: [{ type: 'function', name: 'send', parameters: schema() }],
        },
        {
          type: 'tool_search',
          execution: 'client',
          description: 'Finds tools.',
          parameters: { type: 'object', properties: {} },
        },
      ],
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Refund 7 and 8.' },
            {
              type: 'input_image',
              detail: 'auto',
              image_url: `data:image/png;base64,iVBORw0KGgo${'aB3'.repeat(200)}`,
            },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'aB3'.repeat(300) },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          name: 'refund',
          arguments: '{"order":"7"}',
        },
        {
          type: 'function_call',
          id: 'fc_2',
          call_id: 'call_2',
          name: 'refund',
          arguments: '{"order":"8"}',
        },
        { type: 'function_call_output', call_id: 'call_2', output: 'done' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: [{ type: 'input_text', text: 'done' }],
        },
        {
          type: 'tool_search_call',
          call_id: 'call_3',
          execution: 'client',
          arguments: { query: 'ship' },
        },
        {
          type: 'tool_search_output',
          call_id: 'call_3',
          execution: 'client',
          status: 'completed',
          tools: [
            {
              type: 'function',
              name: 'ship',
              parameters: schema(),
              strict: false,
              defer_loading: true,
            },
          ],
        },
        {
          type: 'additional_tools',
          role: 'developer',
          tools: [{ type: 'function', name: 'wrap', parameters: schema(), strict: false }],
        },
        { role: 'assistant', content: 'Both are refunded.' },
        { role: 'user', content: 'Thanks.' },
      ],
    },
  },
  gemini: {
    betas: [],
    body: {
      systemInstruction: { role: 'user', parts: [{ text: 'Be kind.' }] },
      tools: [
        {
          functionDeclarations: [
            {
              name: 'refund',
              description: 'Pay back.',
              parametersJsonSchema: { ...schema(), $defs: { order: { type: 'string' } } },
            },
            { name: 'mail.send', description: 'Send.', parametersJsonSchema: schema() },
          ],
        },
      ],
      contents: [
        { role: 'user', parts: [{ text: 'Refund 7 and 8.' }] },
        {
          role: 'model',
          parts: [
            { text: 'Both.', thought: true },
            {
              functionCall: { id: 'fc-1', name: 'refund', args: { order: '7' } },
              thoughtSignature: 'aB3',
            },
            { functionCall: { name: 'refund', args: { order: '8' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'fc-1', name: 'refund', response: { output: 'done' } } },
            { functionResponse: { name: 'refund', response: { error: 'unknown' } } },
          ],
        },
      ],
    },
  },
  'openai-chat': {
    betas: [],
    body: {
      model: 'gpt',
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        { type: 'function', function: { name: 'refund', parameters: schema(), strict: true } },
        {
          type: 'function',
          function: { name: 'look', parameters: { type: 'object', properties: {} } },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'look' } },
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Refund 7 and 8.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'refund', arguments: '{"order":"7"}' },
            },
            {
              id: 'call_2',
              type: 'function',
              function: { name: 'refund', arguments: '{"order":"8"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'done' },
        { role: 'tool', tool_call_id: 'call_2', content: 'done' },
        { role: 'assistant', content: 'Both are refunded.' },
        { role: 'user', content: 'Thanks.' },
      ],
    },
  },
  anthropic: {
    betas: [],
    body: {
      model: 'claude',
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      tool_choice: { type: 'auto' },
      system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
      tools: [
        {
          name: 'refund',
          input_schema: schema(),
          strict: true,
          cache_control: { type: 'ephemeral' },
        },
        { name: 'look', input_schema: { type: 'object' } },
        { name: 'later', input_schema: { type: 'object' }, defer_loading: true },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Refund 7 and 8.', cache_control: { type: 'ephemeral' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Two.', signature: 'aB3'.repeat(300) },
            { type: 'tool_use', id: 'toolu_1', name: 'refund', input: { order: '7' } },
            { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                {
                  type: 'image',
                  source: {
                    type: 'base64',
                    media_type: 'image/png',
                    data: `iVBORw0KGgo${'aB3'.repeat(300)}`,
                  },
                },
              ],
            },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              content: [{ type: 'tool_reference', tool_name: 'later' }],
            },
            { type: 'text', text: 'And now?', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
    },
  },
  'anthropic-beta': {
    betas: [
      'mid-conversation-tool-changes-2026-07-01',
      'inline-tools-2026-09-15',
      'mid-conversation-system-clear-at-2026-08-21',
    ],
    body: {
      model: 'claude',
      max_tokens: 4096,
      system: 'Be kind.',
      tools: [
        { name: 'refund', input_schema: { type: 'object' } },
        { name: 'later', input_schema: { type: 'object' }, defer_loading: true },
      ],
      messages: [
        { role: 'user', content: 'Refund 7.' },
        {
          role: 'system',
          content: [
            { type: 'tool_addition', tool: { type: 'tool_reference', name: 'later' } },
            {
              type: 'tool_addition',
              tool: {
                type: 'tool_definition',
                definition: { name: 'wrap', input_schema: { type: 'object' } },
              },
            },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'wrap', input: {} }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }],
        },
        {
          role: 'system',
          content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'wrap' } }],
        },
        { role: 'system', content: 'The panel is empty.', clear_at: 'next_user_message' },
      ],
    },
  },
}
