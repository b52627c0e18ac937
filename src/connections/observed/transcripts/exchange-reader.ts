import { isObject } from '../../../entries/kit.ts'
import { usageIn } from '../content/answer-usage.ts'
import type { ObservedSession, ShownTool } from '../observation.ts'
import { PLACEHOLDER } from './read-claude-code.ts'
import {
  type HarConversation,
  continues,
  isShortened,
  isSummary,
  isWithoutTurns,
  leaveBranch,
  type ReadBody,
} from './har-conversation.ts'
import { geminiBody, geminiModel } from '../content/gemini-body.ts'
import { saidIn } from '../content/said-in.ts'
import { outcomeOnWire, WireSkills } from '../content/wire-skills.ts'
import {
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

/** Returns a function that reads entries of a HAR file, and those that it is given later. */
export function exchangeReader(): (entries: Iterable<Line>) => readonly ObservedSession[] {
  const conversations: HarConversation[] = []
  let latest: HarConversation | undefined
  const readOne = (entry: Line) => {
    const request = object(entry['request'])
    const [address = ''] = text(request['url']).split(/[?#]/)
    const sent = jsonIn(text(memberIn(request['postData'], 'text')))
    const model = geminiModel(address)
    if (!(model ?? ADDRESS.test(address)) || !isObject(sent) || hasFailed(entry)) return
    const body = model === null ? sent : geminiBody(sent, model)
    const read = readBody(body, text(entry['_session']))
    const known = read.isContinued ? latest : conversations.findLast((one) => continues(one, read))
    latest =
      known ?? newConversation(request['headers'], address, read.key, conversations.length + 1)
    if (known === undefined) conversations.push(latest)
    readEntry(latest, entry, read)
  }
  return (entries) => {
    for (const entry of entries) readOne(entry)
    return conversations.flatMap(({ session, seen, branches }) => [
      { ...session, seen },
      ...branches,
    ])
  }
}

function hasFailed({ response }: Line): boolean {
  const status = memberIn(response, 'status')
  return typeof status === 'number' && (status === 0 || status >= 400)
}

function readBody(body: Line, session: string): ReadBody {
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
    key: text(body['prompt_cache_key']) || text(memberIn(body['metadata'], 'user_id')) || session,
    isContinued: typeof body['previous_response_id'] === 'string',
  }
}

/** Returns true for a message of the system. Those behind others are parts of the conversation. */
function isInstruction(message: unknown): boolean {
  return ['system', 'developer'].includes(text(memberIn(message, 'role')))
}

function newConversation(
  headers: unknown,
  address: string,
  key: string,
  count: number,
): HarConversation {
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
  return {
    session,
    seen: [],
    known: new Set(),
    messages: [],
    begins: [],
    requests: [],
    branches: [],
    key,
    shown,
    skills,
    deferred: new Set(),
  }
}

/** The names by which clients that are known call themselves. */
const CLIENTS = [
  [/^claude-cli$/, 'claude-code'],
  [/^codex/, 'codex'],
  [/^GeminiCLI/, 'gemini-cli'],
  [/^QwenCode$/, 'qwen-code'],
] as const

/** The providers of addresses; requests of the Chat Completions API go to many. */
const PROVIDERS = [
  [/\/messages$/, 'anthropic'],
  [/\/responses$|^https:\/\/[^/]*\bopenai\.(?:com|azure\.com)\//, 'openai'],
] as const

/** Adds a request with its answer to a conversation: of its messages only those that are new. */
function readEntry(conversation: HarConversation, entry: Line, read: ReadBody): void {
  const { seen, begins } = conversation
  const { body, texts } = read
  const at = readTime(entry['startedDateTime'], seen.at(-1)?.at)
  const before = conversation.messages
  const kept = read.isContinued ? before.length : sharedLength(before, texts)
  const isNext = kept === before.length
  const added = read.isContinued ? texts : texts.slice(kept)
  const fresh = read.messages.slice(read.messages.length - added.length)
  const isCompacted = !isNext && (fresh.some(isSummary) || isShortened(before, texts))
  const isBack = !isNext && !isCompacted && isWithoutTurns(before.slice(kept), added, texts)
  if (isBack) leaveBranch(conversation, begins[kept] ?? seen.length)
  showParts(conversation, read, fresh, at)
  if (isCompacted) {
    const usage = seen.findLast((one) => one.type === 'answer')?.usage
    seen.push({ type: 'compacted', tokens: usage?.input ?? 0, at })
  }
  begins.length = Math.min(begins.length, kept)
  // Of a conversation that was changed, the earlier messages of the person are known.
  const answered = isNext ? -1 : fresh.findLastIndex(({ role }) => role === 'assistant')
  for (const [index, message] of fresh.entries()) {
    begins.push(seen.length)
    readMessage(conversation, message, index > answered, at)
  }
  conversation.messages = read.isContinued ? [...before, ...texts] : texts
  // The request that this one follows may be a shorter one.
  const same = isBack ? Math.min(kept, conversation.requests.at(-1)?.length ?? 0) : kept
  const sent = { kept: same, added: isBack ? texts.slice(same) : added, settings: settingsIn(body) }
  conversation.requests.push({ begins: seen.length, length: conversation.messages.length })
  seen.push({ type: 'request', sent, at })
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

/** Notes the tools and texts of a request that differ from those before. */
function showParts(
  conversation: HarConversation,
  { body, messages }: ReadBody,
  fresh: readonly Line[],
  at: number,
): void {
  const { seen, shown, deferred } = conversation
  const texts = [
    ...textsIn(body).map((one, index) => {
      return { id: `system-${index}`, title: 'System prompt', text: one }
    }),
    ...messages.filter(isInstruction).map(({ content }, index) => {
      return { id: `message-${index}`, title: 'System message', text: textInContent(content) }
    }),
  ]
  const own = fresh.filter(({ role }) => role !== 'assistant' && role !== 'tool')
  for (const said of [
    ...texts.map((one) => one.text),
    ...own.map((one) => textInContent(one['content'])),
  ])
    noteDeferred(deferred, said)
  const sent = list(body['tools']).flatMap((tool) => toolsIn(object(tool), ''))
  const names = new Set(sent.map(({ name }) => name))
  const other = [...deferred.difference(names)].map((name) => ({ name, deferred: true as const }))
  const tools = [...sent, ...other]
  if (JSON.stringify(tools) !== shown.tools) {
    seen.push({ type: 'tools', tools, at })
    const lister = sent.find(({ name }) => name === 'skill')
    showSkills(conversation, lister?.description ?? '', at)
  }
  if (JSON.stringify(texts) !== shown.texts) {
    seen.push({ type: 'texts', texts, at })
    for (const one of texts) showSkills(conversation, one.text, at)
  }
  shown.tools = JSON.stringify(tools)
  shown.texts = JSON.stringify(texts)
}

/** Notes the list of skills in a text of the client. */
function showSkills({ seen, shown, skills }: HarConversation, said: string, at: number): void {
  const listed = skills.listedBy(said)
  if (listed === null || JSON.stringify(listed) === shown.skills) return
  shown.skills = JSON.stringify(listed)
  seen.push({ type: 'skills', skills: listed, at })
}

/** Notes the content of a message that no earlier request had. */
function readMessage(
  conversation: HarConversation,
  message: Line,
  isNew: boolean,
  at: number,
): void {
  const { seen, known, skills } = conversation
  for (const one of saidIn(message)) {
    if (one.type === 'turn') {
      if (isSummary(message)) seen.push({ type: 'said', by: 'agent', text: one.text, at })
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
  for (const said of typeof content === 'string'
    ? [content]
    : list(content).map((part) => text(memberIn(part, 'text')))) {
    if (message['role'] !== 'system') showSkills(conversation, said, at)
    const loaded = skills.loadedIn(said)
    if (loaded && isNew) seen.push({ type: 'loaded', ...loaded, at })
  }
}

/** The names in a text of Claude Code of tools that a search has to load, or that are gone. */
const DEFERRED =
  /following (?:deferred )?tools are ((?:now )?available via|no longer available)[^\n]{0,1500}:\n((?:[\w.-]{1,200}(?:\n|$))+)/g

function noteDeferred(names: Set<string>, said: string): void {
  for (const [, word, lines = ''] of said.matchAll(DEFERRED)) {
    for (const name of lines.split('\n').map(toolNameIn).filter(Boolean)) {
      if (word === 'no longer available') names.delete(name)
      else names.add(name)
    }
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
  if (named === '' || named === PLACEHOLDER) return []
  return [
    {
      name: named,
      ...(said !== '' && { description: said }),
      inputSchema: more['input_schema'] ?? more['parameters'],
      ...(tool['defer_loading'] === true && { deferred: true }),
    },
  ]
}
