import { isObject } from '../../../entries/kit.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import { LatestTexts } from '../latest-texts.ts'
import { refuseLarge } from '../refuse-large.ts'
import { usageIn } from '../content/answer-usage.ts'
import type { Observation, ObservedSession, ShownTool } from '../observation.ts'
import { withCalls } from './agent-lines.ts'
import { geminiBody, geminiModel } from '../content/gemini-body.ts'
import { saidIn } from '../content/said-in.ts'
import { outcomeOnWire, WireSkills } from '../content/wire-skills.ts'
import {
  firstSaid,
  lifetimeIn,
  marksIn,
  messageText,
  settingsIn,
  sharedLength,
} from '../content/message-text.ts'
import {
  jsonIn,
  list,
  memberIn,
  number,
  object,
  text,
  textInContent,
  readTime,
  toolNameIn,
} from '../content/text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** The ends of addresses of requests to a model. */
const ADDRESS = /\/(?:messages|responses|chat\/completions)$/

/** A conversation, in the requests of which there is one after the other. */
interface Conversation {
  readonly session: ObservedSession
  readonly seen: Observation[]
  /** The calls and results that requests had. */
  readonly known: Set<string>
  /** The messages of the last request, as texts. */
  messages: readonly string[]
  /** The name that the client gives to its session; '' without one. */
  readonly key: string
  /** The tools and texts of the last request, as JSON. */
  readonly shown: { tools: string; texts: string; skills: string }
  readonly skills: WireSkills
}

/** The body of a request, with its messages after the instructions at its beginning. */
interface ReadBody {
  readonly body: Line
  readonly messages: readonly Line[]
  readonly texts: readonly string[]
  /** It continues an answer that the provider keeps, and has only what is new. */
  readonly isContinued: boolean
}

/**
 * Reads a HAR file, which a browser or a proxy makes: requests to the Messages, Responses, Chat Completions
 * and Gemini APIs. A
 * conversation is the requests that begin with the same first message, or have an answer of the model in common.
 * Returns none for another file.
 */
export function readHar(file: unknown): readonly ObservedSession[] {
  return exchangeReader()(list(memberIn(memberIn(file, 'log'), 'entries')).map(object))
}

/** Returns a function that reads entries of a HAR file as `readHar` does, and those that it is given later. */
function exchangeReader(): (entries: Iterable<Line>) => readonly ObservedSession[] {
  const conversations: Conversation[] = []
  let latest: Conversation | undefined
  const readOne = (entry: Line) => {
    const request = object(entry['request'])
    const [address = ''] = text(request['url']).split(/[?#]/)
    const sent = jsonIn(text(memberIn(request['postData'], 'text')))
    const model = geminiModel(address)
    if (!(model ?? ADDRESS.test(address)) || !isObject(sent) || hasFailed(entry)) return
    const body = model === null ? sent : geminiBody(sent, model)
    const read = readBody(body)
    const known = read.isContinued ? latest : conversations.findLast((one) => continues(one, read))
    latest = known ?? newConversation(request['headers'], address, body, conversations.length + 1)
    if (known === undefined) conversations.push(latest)
    readEntry(latest, entry, read)
  }
  return (entries) => {
    for (const entry of entries) readOne(entry)
    return conversations.map(({ session, seen }) => ({ ...session, seen }))
  }
}

function hasFailed({ response }: Line): boolean {
  const status = memberIn(response, 'status')
  return typeof status === 'number' && (status === 0 || status >= 400)
}

function readBody(body: Line): ReadBody {
  const input = body['input']
  const all: readonly unknown[] =
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : [...list(body['messages']), ...list(input)]
  const first = all.findIndex((one) => !isInstruction(one))
  const messages = all.slice(first < 0 ? all.length : first).map(object)
  return {
    body,
    messages,
    texts: messages.map(messageText),
    isContinued: typeof body['previous_response_id'] === 'string',
  }
}

/** Returns true for a message of the system. Those behind others are parts of the conversation. */
function isInstruction(message: unknown): boolean {
  return ['system', 'developer'].includes(text(memberIn(message, 'role')))
}

/** The beginning of a message with which a client continues a conversation that it summarised. */
const SUMMARY =
  /^(?:This session is being continued from a previous conversation|Another language model started to solve this problem)/

/** The fewest characters of a message by which a conversation is recognised. */
const LEAST_SHARED = 40

/** Returns true for a text of a message that the model wrote, or of the result of its call. */
function isOfModel(said: string): boolean {
  return (
    said.length >= LEAST_SHARED &&
    /^(?:assistant|tool|(?:function|custom_tool)_call(?:_output)?)\n|^user\n\{"type":"tool_result"/.test(
      said,
    )
  )
}

/** Returns true for a request of a conversation. */
function continues({ messages, key }: Conversation, read: ReadBody): boolean {
  const other = keyIn(read.body)
  if (key !== '' && other !== '' && other !== key) return false
  if (firstSaid(messages) === firstSaid(read.texts)) return true
  const earlier = new Set(messages.filter(isOfModel))
  if (read.texts.some((one) => earlier.has(one))) return true
  return key !== '' && key === other && read.messages.some(isSummary)
}

function isSummary({ content }: Line): boolean {
  const parts = typeof content === 'string' ? [content] : list(content).map(partText)
  return parts.some((one) => SUMMARY.test(one))
}

function partText(part: unknown): string {
  return text(memberIn(part, 'text'))
}

/** Returns the name that a client gives to the requests of a session. */
function keyIn(body: Line): string {
  return text(body['prompt_cache_key']) || text(memberIn(body['metadata'], 'user_id'))
}

function newConversation(
  headers: unknown,
  address: string,
  body: Line,
  count: number,
): Conversation {
  const agent = list(headers).find(
    (one) => text(memberIn(one, 'name')).toLowerCase() === 'user-agent',
  )
  const [, program = 'har', version = null] =
    /^([\w.-]+)(?:\/([\w.-]+))?/.exec(text(memberIn(agent, 'value'))) ?? []
  const [, client = program] = CLIENTS.find(([sign]) => sign.test(program)) ?? []
  const provider = PROVIDERS.find(([sign]) => sign.test(address))?.[1]
  const about = { client, version, folder: null, ...(provider && { provider }) }
  const session = { session: `conversation-${count}`, ...about, seen: [] }
  const shown = { tools: '', texts: '', skills: '' }
  const skills = new WireSkills()
  return { session, seen: [], known: new Set(), messages: [], key: keyIn(body), shown, skills }
}

/** The names by which clients that are known call themselves. */
const CLIENTS = [
  [/^claude-cli$/, 'claude-code'],
  [/^codex/, 'codex'],
] as const

/** The providers of addresses; requests of the Chat Completions API go to many. */
const PROVIDERS = [
  [/\/messages$/, 'anthropic'],
  [/\/responses$|^https:\/\/[^/]*\bopenai\.(?:com|azure\.com)\//, 'openai'],
] as const

/** Adds a request with its answer to a conversation: of its messages only those that are new. */
function readEntry(conversation: Conversation, entry: Line, read: ReadBody): void {
  const { seen } = conversation
  const { body, texts } = read
  const at = readTime(entry['startedDateTime'], seen.at(-1)?.at)
  showParts(conversation, read, at)
  const before = conversation.messages
  const kept = read.isContinued ? before.length : sharedLength(before, texts)
  const isNext = kept === before.length
  const added = read.isContinued ? texts : texts.slice(kept)
  const fresh = read.messages.slice(read.messages.length - added.length)
  if (!isNext && (fresh.some(isSummary) || isShortened(before, texts))) {
    const usage = seen.findLast((one) => one.type === 'answer')?.usage
    seen.push({ type: 'compacted', tokens: usage?.input ?? 0, at })
  }
  // Of a conversation that was changed, the earlier messages of the person are known.
  const answered = isNext ? -1 : fresh.findLastIndex(({ role }) => role === 'assistant')
  for (const [index, message] of fresh.entries()) {
    readMessage(conversation, message, index > answered, at)
  }
  conversation.messages = read.isContinued ? [...before, ...texts] : texts
  seen.push({ type: 'request', sent: { kept, added, settings: settingsIn(body) }, at })
  const { text: content, encoding } = object(memberIn(entry['response'], 'content'))
  const answer =
    encoding === 'base64' ? Buffer.from(text(content), 'base64').toString() : text(content)
  const usage = usageIn(answer)
  if (usage === null) return
  const model = text(body['model'])
  const lifetimeMs = lifetimeIn(marksIn(body))
  const about = { ...(model !== '' && { model }), ...(lifetimeMs && { lifetimeMs }) }
  seen.push({ type: 'answer', usage, ...about, at: at + number(entry['time']) })
}

/** Returns true for messages that begin in another way than those before, and are fewer than these and what followed. */
function isShortened(before: readonly string[], now: readonly string[]): boolean {
  if (before[0] === now[0] || now.length > before.length) return false
  const left = new Set(now)
  return before.filter((one) => !left.has(one)).length > 1
}

/** Notes the tools and texts of a request that differ from those before. */
function showParts(conversation: Conversation, { body, messages }: ReadBody, at: number): void {
  const { seen, shown } = conversation
  const tools = list(body['tools']).flatMap((tool) => toolsIn(object(tool), ''))
  const texts = [
    ...textsIn(body).map((one, index) => {
      return { id: `system-${index}`, title: 'System prompt', text: one }
    }),
    ...messages.filter(isInstruction).map(({ content }, index) => {
      return { id: `message-${index}`, title: 'System message', text: textInContent(content) }
    }),
  ]
  if (JSON.stringify(tools) !== shown.tools) seen.push({ type: 'tools', tools, at })
  if (JSON.stringify(texts) !== shown.texts) {
    seen.push({ type: 'texts', texts, at })
    for (const one of texts) showSkills(conversation, one.text, at)
  }
  shown.tools = JSON.stringify(tools)
  shown.texts = JSON.stringify(texts)
}

/** Notes the list of skills in a text of the client. */
function showSkills({ seen, shown, skills }: Conversation, said: string, at: number): void {
  const listed = skills.listedBy(said)
  if (listed === null || JSON.stringify(listed) === shown.skills) return
  shown.skills = JSON.stringify(listed)
  seen.push({ type: 'skills', skills: listed, at })
}

/** Notes the content of a message that no earlier request had. */
function readMessage(conversation: Conversation, message: Line, isNew: boolean, at: number): void {
  const { seen, known, skills } = conversation
  for (const one of saidIn(message)) {
    if (one.type === 'turn') {
      if (isSummary(message)) seen.push({ type: 'said', text: one.text, at })
      else if (isNew) seen.push({ ...one, at })
      continue
    }
    const key = `${one.type} ${one.call}`
    if (known.has(key)) continue
    known.add(key)
    const { call } = one
    if (one.type === 'call') seen.push({ ...one, ...skills.call(call, one.tool, one.input), at })
    if (one.type === 'call') continue
    const outcome = outcomeOnWire(one.text, one.isError)
    seen.push({ type: 'result', call, outcome, text: one.text, at })
    const loaded = skills.loadedBy(call, one.text, outcome === 'ok')
    seen.push(...loaded.map((skill) => ({ type: 'loaded', ...skill, call, at }) as const))
  }
  if (message['role'] === 'assistant' || message['role'] === 'tool') return
  const { content } = message
  for (const said of typeof content === 'string' ? [content] : list(content).map(partText)) {
    if (message['role'] !== 'system') showSkills(conversation, said, at)
    const loaded = skills.loadedIn(said)
    if (loaded && isNew) seen.push({ type: 'loaded', ...loaded, at })
  }
}

/** Returns the instructions of a request. */
function textsIn(body: Line): readonly string[] {
  const own = typeof body['instructions'] === 'string' ? [body['instructions']] : []
  const system =
    typeof body['system'] === 'string'
      ? [body['system']]
      : list(body['system']).map((part) => text(memberIn(part, 'text')))
  const all = [...list(body['messages']), ...list(body['input'])]
  const first = all.findIndex((one) => !isInstruction(one))
  const messages = all
    .slice(0, first < 0 ? all.length : first)
    .map((message) => textInContent(memberIn(message, 'content')))
  return [...own, ...system, ...messages].filter((one) => one !== '')
}

/** Returns the tools of a definition in one of the three APIs, those of a namespace with its name. */
function toolsIn(tool: Line, space: string): readonly ShownTool[] {
  const { name, description, ...more } = object(tool['function'] ?? tool)
  if (tool['type'] === 'namespace') {
    return list(tool['tools']).flatMap((one) => toolsIn(object(one), `${text(name)}__`))
  }
  const named = toolNameIn(`${space}${text(name) || text(tool['type'])}`)
  const said = text(description).trim()
  if (named === '') return []
  return [
    {
      name: named,
      ...(said !== '' && { description: said }),
      inputSchema: more['input_schema'] ?? more['parameters'],
      ...(tool['defer_loading'] === true && { deferred: true }),
    },
  ]
}

/** Returns true for the first line of a recording. */
export function isRecordedLine({ recording, folder }: Line): boolean {
  return recording === 1 && typeof folder === 'string'
}

/**
 * Returns a reader of what `loadout watch` recorded: entries of a HAR file, whose requests have only what the latest ones lack.
 * It reads each line once, also when it gets more of them. A conversation that begins with the prompt of a call is a child
 * session of it; one without tools, such as a request for a title, is one of the first session.
 */
export function recordingReader(): (lines: readonly Line[]) => readonly ObservedSession[] {
  const read = exchangeReader()
  const restore = entryRestorer()
  let known = 0
  return (lines) => {
    const folder = text(lines[0]?.['folder']) || null
    const about = { folder, hasCuts: true } as const
    const fresh = lines.slice(known)
    known = lines.length
    const all = read(fresh.values().flatMap(restore)).map((one) => ({ ...one, ...about }))
    const main = all.find(hasTools)
    const parent = main && { session: main.session, call: null, agent: null }
    const linked = all.map((one) => (parent && !hasTools(one) ? { ...one, parent } : one))
    const agents = linked.map((one) => [one.session, one] as const)
    return withCalls(agents, new Map(), [])
  }
}

function hasTools({ seen }: ObservedSession): boolean {
  return seen.some((one) => one.type === 'tools' && one.tools.length > 0)
}

/** Returns a function that returns the entry of a line with the whole request; none for another line. */
function entryRestorer(): (line: Line) => readonly Line[] {
  const latest = new LatestTexts()
  const budget = new Budget('recorded')
  return (line) => {
    const request = object(line['request'])
    const data = object(request['postData'])
    if (typeof data['text'] !== 'string') return []
    const { ago, begin, end } = object(data['_shared'])
    const shared = { ago: number(ago), begin: number(begin), end: number(end) }
    const whole = latest.restore({ text: text(memberIn(data, 'text')), shared })
    refuseLarge(budget, whole.length, 'The recording')
    return [{ ...line, request: { ...request, postData: { text: whole } } }]
  }
}
