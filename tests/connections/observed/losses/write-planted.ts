import type { Form, PlainMessage, PlainRequest, PlainTool } from './planted-loss.ts'

type Line = Record<string, unknown>

/** A part of a prompt as its provider caches it, and whether a cache ends there. */
interface CachedPart {
  readonly text: string
  readonly isMarked: boolean
}

/** A provider with a cache, which counts a token for four characters. */
class Provider {
  readonly #grain: number
  readonly #known = new Map<string, { until: number; length: number }>()
  readonly #lifeMs: number

  constructor(grain: number, lifeMs: number) {
    this.#grain = grain
    this.#lifeMs = lifeMs
  }

  answer(at: number, parts: readonly CachedPart[]) {
    let [prefix, cached] = ['', 0]
    const marks: string[] = []
    for (const { text, isMarked } of parts) {
      prefix += `\u0000${text}`
      const known = this.#known.get(prefix)
      if (known && known.until >= at) cached = prefix.length
      if (isMarked) marks.push(prefix)
    }
    for (const mark of marks) {
      this.#known.set(mark, { until: at + this.#lifeMs, length: mark.length })
    }
    const input = Math.round(prefix.length / 4)
    const tokens = Math.round(cached / 4)
    return { input, cached: tokens - (tokens % this.#grain), output: 30 }
  }
}

/** Returns the parts of a request in the order in which providers read. */
function partsOf(request: PlainRequest, form: Form): readonly CachedPart[] {
  const { model, settings, tools, system, memory, messages } = request
  const isAnthropic = form === 'claude-code' || form === 'messages'
  const rules = JSON.stringify(settings)
  const said = messages.map((message, index) => ({
    text: JSON.stringify(index === 0 && isAnthropic ? [memory, message] : message),
    isMarked: !isAnthropic || index === messages.length - 1,
  }))
  return [
    { text: isAnthropic ? model : model + rules, isMarked: false },
    ...tools.map((tool) => ({ text: JSON.stringify(tool), isMarked: !isAnthropic })),
    { text: JSON.stringify([system, isAnthropic ? null : memory]), isMarked: true },
    ...(isAnthropic ? [{ text: rules, isMarked: false }] : []),
    ...said,
  ]
}

/** Writes a conversation in a form: lines of a transcript, or a HAR file. */
export function writePlanted(requests: readonly PlainRequest[], form: Form): string {
  const isAnthropic = form === 'claude-code' || form === 'messages'
  const isLong = requests[0]?.ttl === '1h'
  const provider = new Provider(isAnthropic ? 1 : 128, isLong ? 3_600_000 : 300_000)
  const usages = requests.map((one) => provider.answer(one.at, partsOf(one, form)))
  if (form === 'claude-code') return transcript(requests, usages)
  const bodies = { messages: messagesBody, responses: responsesBody, chat: chatBody }
  const entries = requests.map((one, index) => {
    const { input = 0, cached = 0, output = 0 } = usages[index] ?? {}
    const usage = {
      messages: anthropicUsage({ input, cached, output }),
      responses: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: output,
      },
      chat: {
        prompt_tokens: input,
        prompt_tokens_details: { cached_tokens: cached },
        completion_tokens: output,
      },
    }[form]
    return {
      startedDateTime: new Date(one.at).toISOString(),
      time: 900,
      request: {
        method: 'POST',
        url: URLS[form],
        headers: [{ name: 'user-agent', value: AGENTS[form] }],
        postData: { text: JSON.stringify(bodies[form](one)) },
      },
      response: { content: { text: JSON.stringify({ usage }) } },
    }
  })
  return JSON.stringify({ log: { version: '1.2', entries } })
}

const URLS = {
  messages: 'https://api.anthropic.com/v1/messages?beta=true',
  responses: 'https://chatgpt.com/backend-api/codex/responses',
  chat: 'https://api.openai.com/v1/chat/completions',
}

const AGENTS = {
  messages: 'claude-cli/2.1.328 (external, cli)',
  responses: 'codex_cli_rs/0.169.0 (Linux)',
  chat: 'OpenAI/JS 6.1.0',
}

function anthropicUsage({ input, cached, output }: ReturnType<Provider['answer']>) {
  return {
    input_tokens: 4,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: Math.max(0, input - cached - 4),
    output_tokens: output,
  }
}

const anthropicTool = ({ name, description, schema }: PlainTool) => {
  return { name, description, input_schema: schema }
}

/** The messages of a request to Anthropic, as Claude Code makes them: the first has the memory file and the date. */
function anthropicMessages({ messages, memory }: PlainRequest): readonly Line[] {
  const reminder = [
    '<system-reminder>',
    "As you answer the user's questions, you can use the following context:",
    ...(memory === null
      ? []
      : [
          '# claudeMd',
          'Codebase and user instructions are shown below.',
          '',
          'Contents of /project/CLAUDE.md (project instructions, checked into the codebase):',
          '',
          ...memory,
        ]),
    '# gitStatus',
    'clean',
    '</system-reminder>',
  ].join('\n')
  return messages.map((message, index) => anthropicMessage(message, index === 0 ? reminder : null))
}

function anthropicMessage({ role, text, call }: PlainMessage, reminder: string | null): Line {
  if (role === 'result') {
    const result = { type: 'tool_result', tool_use_id: call?.id, content: text }
    return { role: 'user', content: [result] }
  }
  const parts = [...(reminder === null ? [] : [reminder]), text].map((one) => {
    return { type: 'text', text: one }
  })
  const use = call && { type: 'tool_use', id: call.id, name: call.tool, input: {} }
  return { role, content: use ? [...parts, use] : parts }
}

function cacheMark({ ttl }: PlainRequest) {
  return { type: 'ephemeral', ...(ttl === '1h' && { ttl }) }
}

function messagesBody(request: PlainRequest): Line {
  const cache_control = cacheMark(request)
  const messages = anthropicMessages(request).map((message, index, all) => {
    if (index < all.length - 1) return message
    const content = message['content'] as readonly Line[]
    return {
      ...message,
      content: content.map((part, at) =>
        at === content.length - 1 ? { ...part, cache_control } : part,
      ),
    }
  })
  return {
    model: request.model,
    system: [
      { type: 'text', text: 'You are an agent.' },
      { type: 'text', text: request.system.join('\n'), cache_control },
    ],
    tools: request.tools.map(anthropicTool),
    messages,
    ...request.settings,
    metadata: { user_id: '{"session_id":"one"}' },
    max_tokens: 32_000,
    stream: true,
  }
}

function responsesBody({ model, tools, system, memory, messages, settings }: PlainRequest): Line {
  const input = messages.flatMap(({ role, text, call }): readonly Line[] => {
    if (role === 'result') {
      return [{ type: 'function_call_output', call_id: call?.id, output: text }]
    }
    const type = role === 'user' ? 'input_text' : 'output_text'
    const said = { type: 'message', role, content: [{ type, text }] }
    if (call === undefined) return [said]
    return [said, { type: 'function_call', call_id: call.id, name: call.tool, arguments: '{}' }]
  })
  const rules = [
    '# AGENTS.md instructions for /project',
    '',
    '<INSTRUCTIONS>',
    ...(memory ?? []),
    '</INSTRUCTIONS>',
  ].join('\n')
  const about = { role: 'user', content: [{ type: 'input_text', text: rules }] }
  return {
    model,
    instructions: system.join('\n'),
    input: memory === null ? input : [{ type: 'message', ...about }, ...input],
    tools: tools.map(({ schema, ...tool }) => ({ type: 'function', ...tool, parameters: schema })),
    ...settings,
    prompt_cache_key: 'session-one',
    stream: true,
  }
}

function chatBody({ model, tools, system, memory, messages, settings }: PlainRequest): Line {
  const rules = memory === null ? [] : ['Instructions from: /project/AGENTS.md', ...memory]
  return {
    model,
    messages: [
      { role: 'system', content: [...system, ...rules].join('\n') },
      ...messages.map(({ role, text, call }) => {
        if (role === 'result') return { role: 'tool', tool_call_id: call?.id, content: text }
        if (call === undefined) return { role, content: text }
        const called = { name: call.tool, arguments: '{}' }
        return {
          role,
          content: text,
          tool_calls: [{ id: call.id, type: 'function', function: called }],
        }
      }),
    ],
    tools: tools.map(({ schema, ...tool }) => {
      return { type: 'function', function: { ...tool, parameters: schema } }
    }),
    ...settings,
  }
}

/** Writes a transcript of Claude Code, with the lines of its requests. */
function transcript(
  requests: readonly PlainRequest[],
  usages: readonly ReturnType<Provider['answer']>[],
): string {
  const lines: Line[] = []
  const known = new Set<string>()
  const base = { sessionId: 'one', version: '2.1.328', cwd: '/project', isSidechain: false }
  let [parent, entries, shown] = [null as string | null, 0, 0]
  let earlier: readonly string[] = []
  const entry = (type: string, at: number, more: Line) => {
    const uuid = `e${(entries += 1)}`
    const timestamp = new Date(at).toISOString()
    lines.push({ ...base, type, uuid, parentUuid: parent, timestamp, ...more })
    parent = uuid
  }
  const refer = (name: string, value: unknown, line: Line): string => {
    const hash = `${name}-${JSON.stringify(value)}`
    if (!known.has(hash)) lines.push({ sessionId: 'one', ...line, [name]: hash })
    known.add(hash)
    return hash
  }
  for (const [index, request] of requests.entries()) {
    const { at, messages, isCompacted } = request
    if (isCompacted) {
      const compactMetadata = { trigger: 'auto', preTokens: 150_000 }
      entry('system', at, {
        subtype: 'compact_boundary',
        logicalParentUuid: parent,
        compactMetadata,
      })
      const message = { role: 'user', content: messages[0]?.text }
      entry('user', at, { message, isCompactSummary: true, isVisibleInTranscriptOnly: true })
    }
    for (const message of messages.slice(isCompacted ? messages.length : shown)) {
      if (message.role !== 'assistant') {
        entry('user', at, { message: anthropicMessage(message, null) })
      }
    }
    shown = messages.length
    const shape = {
      system: [
        { type: 'text', text: 'You are an agent.' },
        { type: 'text', text: request.system.join('\n') },
      ],
      tools: request.tools.map(anthropicTool),
    }
    const shapeHash = refer('shapeHash', shape, { type: 'api-request-shape', shape })
    const hashes = anthropicMessages(request).map((message) =>
      refer('hash', message, { type: 'api-request-blob', message }),
    )
    let keep = 0
    while (keep < earlier.length && earlier[keep] === hashes[keep]) keep += 1
    lines.push({
      type: 'api-request',
      sessionId: 'one',
      id: `r${index}`,
      shapeHash,
      params: { model: request.model, max_tokens: 32_000, ...request.settings },
      ...(keep > 0 && { base: `r${index - 1}` }),
      keep,
      tail: hashes.slice(keep),
      cacheControl: [{ path: ['system', 1], value: cacheMark(request) }],
    })
    earlier = hashes
    const next = requests[index + 1]?.messages
    const answer = next?.[messages.length] ?? { role: 'assistant', text: 'Done.' }
    const { content } = anthropicMessage({ ...answer, role: 'assistant' }, null)
    const usage = anthropicUsage(usages[index] ?? { input: 0, cached: 0, output: 0 })
    const message = { id: `m${index}`, role: 'assistant', model: request.model, content, usage }
    entry('assistant', at + 900, { message, requestRef: `r${index}` })
    if (next) shown += 1
  }
  return lines.map((line) => JSON.stringify(line)).join('\n')
}
