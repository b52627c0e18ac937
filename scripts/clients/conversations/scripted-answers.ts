/** A call of a tool, on any wire. */
export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** The group that the tool is in, for Codex. */
  readonly namespace?: string
  /** The input is a text, for Codex. */
  readonly isText?: true
}

/** An answer of a scripted model, on any wire. */
export interface ScriptedAnswer {
  readonly text: string
  readonly calls: readonly ScriptedCall[]
  readonly tokens: number
  /** The model of the request. */
  readonly model?: string
}

/** The events of an answer, and the text that ends them. */
interface AnswerStream {
  readonly events: readonly { readonly type?: string; readonly [name: string]: unknown }[]
  readonly end: string
}

/** Returns an answer as the stream of the wire that a path is of; null for another path. */
export function answerStream(path: string, answer: ScriptedAnswer): AnswerStream | null {
  if (path.endsWith('v1/messages')) return { events: messagesEvents(answer), end: '' }
  if (path.endsWith('v1/responses')) return { events: responsesEvents(answer), end: '' }
  if (path.endsWith(':streamGenerateContent'))
    return { events: [generatedContent(answer)], end: '' }
  if (!path.endsWith('v1/chat/completions')) return null
  return { events: completionsEvents(answer), end: 'data: [DONE]\n\n' }
}

function messagesEvents({
  text,
  calls,
  tokens,
  model = 'm',
}: ScriptedAnswer): AnswerStream['events'] {
  const usage = { input_tokens: tokens, output_tokens: 20 }
  const about = { type: 'message', role: 'assistant', model, content: [], stop_reason: null }
  const message = { id: nextId('msg'), ...about, stop_sequence: null, usage }
  const blocks = [
    ...(text === '' && calls.length > 0
      ? []
      : [{ block: { type: 'text', text: '' }, delta: { type: 'text_delta', text } }]),
    ...calls.map(({ id, name, input }) => ({
      block: { type: 'tool_use', id, name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    })),
  ]
  return [
    { type: 'message_start', message },
    ...blocks.flatMap(({ block, delta }, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 20 },
    },
    { type: 'message_stop' },
  ]
}

function responsesEvents({ text, calls, tokens }: ScriptedAnswer): AnswerStream['events'] {
  const content = [{ type: 'output_text', text, annotations: [] }]
  const status = 'completed'
  const items = [
    ...(text === '' && calls.length > 0
      ? []
      : [{ type: 'message', id: nextId('item'), role: 'assistant', status, content }]),
    ...calls.map(({ id, name, input, namespace, isText }) => ({
      type: isText ? 'custom_tool_call' : 'function_call',
      id: nextId('item'),
      status,
      call_id: id,
      name,
      ...(namespace !== undefined && { namespace }),
      ...(isText ? { input } : { arguments: JSON.stringify(input) }),
    })),
  ]
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokens + 20,
  }
  const id = nextId('resp')
  return [
    { type: 'response.created', response: { id } },
    ...items.map((item, index) => ({
      type: 'response.output_item.done',
      output_index: index,
      item,
    })),
    { type: 'response.completed', response: { id, status, output: items, usage } },
  ]
}

function completionsEvents({ text, calls, tokens }: ScriptedAnswer): AnswerStream['events'] {
  const chunk = { id: nextId('chat'), object: 'chat.completion.chunk', created: 1, model: 'm' }
  const toolCalls = calls.map(({ id, name, input }, index) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  const delta = {
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  }
  const ended = { index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
  const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 }
  return [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [ended], usage },
  ]
}

function generatedContent({ text, calls, tokens }: ScriptedAnswer): AnswerStream['events'][number] {
  const parts = [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ]
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: tokens,
      candidatesTokenCount: 20,
      totalTokenCount: tokens + 20,
    },
  }
}

let count = 0

function nextId(kind: string): string {
  count += 1
  return `${kind}_${count}`
}
