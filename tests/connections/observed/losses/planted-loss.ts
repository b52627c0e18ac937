/** A message in a conversation, in no form of a provider. */
export interface PlainMessage {
  readonly role: 'user' | 'assistant' | 'result'
  readonly text: string
  /** Of an answer or a result: its call. */
  readonly call?: { readonly id: string; readonly tool: string }
}

/** A request of a conversation, in no form of a provider. */
export interface PlainRequest {
  readonly at: number
  readonly model: string
  readonly ttl: '5m' | '1h'
  readonly settings: Readonly<Record<string, unknown>>
  readonly tools: readonly PlainTool[]
  readonly system: readonly string[]
  /** Null where the agent has none. */
  readonly memory: readonly string[] | null
  readonly messages: readonly PlainMessage[]
  /** The conversation was summarised before it. */
  readonly isCompacted?: true
}

export interface PlainTool {
  readonly name: string
  readonly description: string
  readonly schema: { readonly type: 'object'; readonly properties: Record<string, unknown> }
}

/** The place and the words of a loss that was planted in a conversation. */
export interface Expected {
  readonly segment: 'tools' | 'instructions' | 'conversation' | 'time'
  readonly words: readonly string[]
}

export interface Planted {
  readonly cause: Cause
  readonly requests: readonly PlainRequest[]
  /** The index of the request with the loss; null where nothing was planted. */
  readonly at: number | null
  readonly expected: Expected | null
}

export const CAUSES = [
  'tool added',
  'tool removed',
  'tools reordered',
  'description changed',
  'schema changed',
  'date',
  'line of the prompt',
  'memory file',
  'model',
  'setting',
  'message edited',
  'compacted',
  'gap of minutes',
  'gap of an hour',
  'nothing',
] as const

export type Cause = (typeof CAUSES)[number]

/** A transcript of Claude Code, and HAR files of three APIs. */
export const FORMS = ['claude-code', 'messages', 'responses', 'chat'] as const

export type Form = (typeof FORMS)[number]

/** The place of the memory file in the requests of each form: the first message, a message of its own, the instructions. */
const MEMORY_IN: Readonly<Record<Form, 'first' | 'own' | 'system'>> = {
  'claude-code': 'first',
  messages: 'first',
  responses: 'own',
  chat: 'system',
}

/** Numbers between 0 and 1 that depend on the seed alone. */
export function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const MINUTE = 60_000

/** Plans a conversation of some requests with one planted loss. */
export function plantLoss(cause: Cause, roll: () => number, form: Form): Planted {
  const api = form === 'claude-code' || form === 'messages' ? 'anthropic' : 'openai'
  const below = (most: number) => Math.floor(roll() * most)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(' ')
  const servers = ['github', 'stock', 'my-notes', 'jira_cloud']
  const newTool = (index: number): PlainTool => {
    const isOfServer = roll() < 0.6
    const name = isOfServer
      ? `mcp__${pick(servers)}__${pick(WORDS)}_${index}`
      : `${pick(WORDS)}${index}`
    const properties = { [pick(WORDS)]: { type: 'string' }, limit: { type: 'integer' } }
    return {
      name,
      description: `${words(30 + below(60))} ${index}.`,
      schema: { type: 'object', properties },
    }
  }
  const date = 10 + below(15)
  let request: PlainRequest = {
    at: Date.UTC(2026, 10, 1, 9) + below(1e9),
    model: api === 'anthropic' ? 'claude-opus-5-5' : 'gpt-5.4',
    ttl: api === 'anthropic' && (cause === 'gap of an hour' || roll() < 0.2) ? '1h' : '5m',
    settings:
      api === 'anthropic' ? { thinking: { type: 'adaptive' } } : { reasoning: { effort: 'low' } },
    tools: Array.from({ length: 4 + below(9) }, (_, index) => newTool(index)),
    system: [
      'You are an agent that works on software.',
      ...Array.from({ length: 30 + below(40) }, (_, index) => `${index}. ${words(12)}`),
      `Today's date is 2026-11-${date}.`,
      `Branch: ${pick(WORDS)}-${below(100)}`,
    ],
    memory:
      cause === 'memory file' || roll() < 0.5
        ? ['# Rules', ...Array.from({ length: 5 + below(9) }, () => `- ${words(9)}`)]
        : null,
    messages: [{ role: 'user', text: words(40 + below(200)) }],
  }
  const count = 4 + below(5)
  const least = cause === 'compacted' ? 3 : 2
  const at = least + below(count - least)
  const requests: PlainRequest[] = []
  let expected: Expected | null = null
  for (let index = 0; index < count; index += 1) {
    if (index > 0) request = grown(request, index, { words, below, roll })
    if (index === at && cause !== 'nothing') {
      if (cause.startsWith('gap')) request = { ...request, at: requests.at(-1)?.at ?? 0 }
      const planted = change(cause, request, { words, below, pick, newTool, form, api })
      request = planted.request
      expected = planted.expected
    }
    requests.push(request)
  }
  return { cause, requests, at: expected && at, expected }
}

interface Rolls {
  readonly words: (count: number) => string
  readonly below: (most: number) => number
}

/** Adds the answer to a request, and what follows it. */
function grown(
  request: PlainRequest,
  index: number,
  { words, below, roll }: Rolls & { readonly roll: () => number },
): PlainRequest {
  const { messages, tools, at, isCompacted: _, ...more } = request
  const tool = tools[below(tools.length)]?.name ?? 'none'
  const call = { id: `call_${index}_${below(1e6)}`, tool }
  const next: readonly PlainMessage[] =
    roll() < 0.7
      ? [
          { role: 'assistant', text: words(10 + below(30)), call },
          { role: 'result', text: `${words(20)}\n${words(20 + below(300))}`, call },
        ]
      : [
          { role: 'assistant', text: words(40 + below(60)) },
          { role: 'user', text: words(10 + below(40)) },
        ]
  return {
    ...more,
    tools,
    at: at + 5_000 + below(3 * MINUTE),
    messages: [...messages, ...next],
  }
}

type Change = Rolls & {
  readonly pick: <T>(from: readonly T[]) => T
  readonly newTool: (index: number) => PlainTool
  readonly form: Form
  readonly api: 'anthropic' | 'openai'
}

/** Carries out a change before a request. */
function change(
  cause: Exclude<Cause, 'nothing'>,
  request: PlainRequest,
  { words, below, pick, newTool, form, api }: Change,
): { readonly request: PlainRequest; readonly expected: Expected } {
  const { tools, system, messages } = request
  const inTools = (about: readonly PlainTool[], tool: PlainTool, ...said: readonly string[]) => ({
    request: { ...request, tools: about },
    expected: {
      segment: 'tools' as const,
      words: [`"${tool.name}"`, ...ownerWords(tool), ...said],
    },
  })
  const index = below(tools.length - 1)
  const tool = tools[index] as PlainTool
  switch (cause) {
    case 'tool added': {
      const added = newTool(99)
      return inTools(tools.toSpliced(below(tools.length + 1), 0, added), added, 'was added')
    }
    case 'tool removed':
      return inTools(tools.toSpliced(index, 1), tool, 'was removed')
    case 'tools reordered': {
      const other = index + 1 + below(tools.length - index - 1)
      const moved = tools[other] as PlainTool
      return inTools(tools.with(index, moved).with(other, tool), moved, 'order of the tools')
    }
    case 'description changed': {
      const text = tool.description.replace(/(?<= )\S+(?= \S+ \d+\.$)/, 'EDITED')
      return inTools(
        tools.with(index, { ...tool, description: text }),
        tool,
        'The description',
        'EDITED',
      )
    }
    case 'schema changed': {
      const properties = { ...tool.schema.properties, edited: { type: 'boolean' } }
      const schema = { ...tool.schema, properties }
      return inTools(tools.with(index, { ...tool, schema }), tool, 'The parameters', 'edited')
    }
    case 'date': {
      const old = system.find((line) => line.startsWith('Today')) ?? ''
      const now = old.replace(/\d+\.$/, (day) => `${Number.parseInt(day) + 1}.`)
      const changed = system.map((line) => (line === old ? now : line))
      return {
        request: { ...request, system: changed },
        expected: {
          segment: 'instructions',
          words: [`Line ${system.indexOf(old) + 1} `, old, now],
        },
      }
    }
    case 'line of the prompt': {
      const line = 1 + below(system.length - 3)
      const now = `${line - 1}. changed to ${words(5)}`
      return {
        request: { ...request, system: system.with(line, now) },
        expected: { segment: 'instructions', words: [`Line ${line + 1} `, now] },
      }
    }
    case 'memory file': {
      const memory = request.memory ?? []
      const now = `- Always ${words(6)}`
      const changed = memory.with(1 + below(memory.length - 1), now)
      const file = api === 'anthropic' ? '/project/CLAUDE.md' : '/project/AGENTS.md'
      return {
        request: { ...request, memory: changed },
        expected: {
          segment: MEMORY_IN[form] === 'system' ? 'instructions' : 'conversation',
          words: ['memory file', file, now],
        },
      }
    }
    case 'model': {
      const model = api === 'anthropic' ? 'claude-haiku-5' : 'gpt-5.4-mini'
      return {
        request: { ...request, model },
        expected: { segment: 'tools', words: ['The model', request.model, model] },
      }
    }
    case 'setting': {
      const [name, value] = pick<readonly [string, unknown]>(
        api === 'anthropic'
          ? [
              ['tool_choice', { type: 'any' }],
              ['thinking', { type: 'disabled' }],
            ]
          : [['reasoning', { effort: 'high' }]],
      )
      const segment = api === 'anthropic' ? 'conversation' : 'tools'
      const words = [`The setting "${name}"`, JSON.stringify(value)]
      const settings = { ...request.settings, [name]: value }
      return { request: { ...request, settings }, expected: { segment, words } }
    }
    case 'message edited': {
      const place = below(messages.length - 2)
      const message = messages[place] as PlainMessage
      const text = `Edited: ${words(8)}`
      const now = messages.with(place, { ...message, text })
      // In the Responses API a call is an item of its own.
      const isItem = ({ role, call }: PlainMessage) => role === 'assistant' && call !== undefined
      const items = form === 'responses' ? messages.slice(0, place).filter(isItem).length : 0
      const own = MEMORY_IN[form] === 'own' && request.memory !== null ? 1 : 0
      const number = place + items + own + 1
      const expected = { segment: 'conversation', words: [`message ${number} `, text] } as const
      return { request: { ...request, messages: now }, expected }
    }
    case 'compacted': {
      const summary = { role: 'user', text: `${SUMMARIES[form]} ${words(80)}` } as const
      // Without a name of the session, only what both have in common shows that they are one.
      const now = form === 'chat' ? [summary, ...messages.slice(-4)] : [summary]
      const expected = { segment: 'conversation', words: ['was compacted'] } as const
      return { request: { ...request, messages: now, isCompacted: true }, expected }
    }
    case 'gap of minutes':
    case 'gap of an hour': {
      const life = request.ttl === '1h' ? 60 : 5
      const gap = life + 4 + below(40)
      const expected = {
        segment: 'time',
        words: [`No request for ${gap}`, `one for ${life} minutes`],
      } as const
      return { request: { ...request, at: request.at + gap * MINUTE }, expected }
    }
  }
}

function ownerWords({ name }: PlainTool): readonly string[] {
  const [, server] = /^mcp__(.+?)__/.exec(name) ?? []
  return server === undefined ? [] : [`of "${server}"`]
}

const CONTINUED =
  'This session is being continued from a previous conversation that ran out of context.'

/** The texts with which agents begin their summaries. */
const SUMMARIES: Readonly<Record<Form, string>> = {
  'claude-code': CONTINUED,
  messages: CONTINUED,
  responses: 'Another language model started to solve this problem and produced a summary of it.',
  chat: 'What was done so far:',
}

const WORDS =
  'note stock sort file read count date report plan order item line folder build test check price user page table graph query index token cache server client merge branch commit issue label search fetch write draft'.split(
    ' ',
  )
