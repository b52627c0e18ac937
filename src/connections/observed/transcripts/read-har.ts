import { isObject } from '../../../entries/kit.ts'
import type { Observation, ObservedSession, ObservedUsage, ShownTool } from '../observation.ts'
import { messagesUsage } from './read-claude-code.ts'
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
} from './text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

/** The ends of addresses of requests to a model. */
const ADDRESS = /\/(?:messages|responses|chat\/completions)$/

/** A part of a request that an earlier one may have had. */
type Said =
  | { readonly type: 'turn'; readonly text: string }
  | { readonly type: 'call'; readonly call: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: 'result'
      readonly call: string
      readonly isError: boolean
      readonly text: string
    }

/** A conversation, in the requests of which there is one after the other. */
interface Conversation {
  readonly session: ObservedSession
  readonly seen: Observation[]
  /** The calls and results that requests had, and how many turns. */
  readonly known: Set<string>
  turns: number
  tools: string
  texts: string
}

/**
 * Reads a HAR file, which a browser or a proxy makes: requests to the Messages, Responses and Chat Completions APIs. A
 * conversation is the requests that begin with the same first message. Returns none for another file.
 */
export function readHar(file: unknown): readonly ObservedSession[] {
  const conversations = new Map<string, Conversation>()
  let latest: Conversation | undefined
  for (const entry of list(memberIn(memberIn(file, 'log'), 'entries')).map(object)) {
    const request = object(entry['request'])
    const [address = ''] = text(request['url']).split(/[?#]/)
    const body = jsonIn(text(memberIn(request['postData'], 'text')))
    if (!ADDRESS.test(address) || !isObject(body)) continue
    const said = saidIn(body)
    const isContinued = typeof body['previous_response_id'] === 'string'
    const [first = ''] = said.flatMap((one) => (one.type === 'turn' ? one.text : []))
    const known = isContinued && latest ? latest : conversations.get(first)
    latest = known ?? newConversation(request['headers'], conversations.size + 1)
    if (known === undefined) conversations.set(first, latest)
    readEntry(latest, entry, { body, said, isContinued })
  }
  return [...conversations.values()].map(({ session, seen }) => ({ ...session, seen }))
}

function newConversation(headers: unknown, count: number): Conversation {
  const agent = list(headers).find(
    (one) => text(memberIn(one, 'name')).toLowerCase() === 'user-agent',
  )
  const [, client = 'har', version = null] =
    /^([\w.-]+)\/([\w.-]+)/.exec(text(memberIn(agent, 'value'))) ?? []
  const session = { session: `conversation-${count}`, client, version, folder: null, seen: [] }
  return { session, seen: [], known: new Set(), turns: 0, tools: '', texts: '' }
}

/** Adds a request with its answer to a conversation: of its messages only those that are new. */
function readEntry(
  conversation: Conversation,
  entry: Line,
  {
    body,
    said,
    isContinued,
  }: { readonly body: Line; readonly said: readonly Said[]; readonly isContinued: boolean },
): void {
  const { seen, known } = conversation
  const at = readTime(entry['startedDateTime'], seen.at(-1)?.at)
  const tools = list(body['tools']).flatMap((tool) => toolsIn(object(tool), ''))
  const texts = textsIn(body).map((one, index) => ({
    id: `system-${index}`,
    title: 'System prompt',
    text: one,
  }))
  if (JSON.stringify(tools) !== conversation.tools) seen.push({ type: 'tools', tools, at })
  if (JSON.stringify(texts) !== conversation.texts) seen.push({ type: 'texts', texts, at })
  conversation.tools = JSON.stringify(tools)
  conversation.texts = JSON.stringify(texts)
  let turns = isContinued ? conversation.turns : 0
  for (const one of said) {
    if (one.type === 'turn') {
      turns += 1
      if (turns > conversation.turns) seen.push({ ...one, at })
      continue
    }
    const key = `${one.type} ${one.call}`
    if (known.has(key)) continue
    known.add(key)
    if (one.type === 'call') seen.push({ ...one, at })
    else
      seen.push({
        type: 'result',
        call: one.call,
        outcome: one.isError ? 'failed' : 'ok',
        text: one.text,
        at,
      })
  }
  conversation.turns = Math.max(turns, conversation.turns)
  seen.push({ type: 'request', at })
  const { text: content, encoding } = object(memberIn(entry['response'], 'content'))
  const answer =
    encoding === 'base64' ? Buffer.from(text(content), 'base64').toString() : text(content)
  const usage = usageIn(answer)
  const model = text(body['model'])
  const ended = at + number(entry['time'])
  if (usage) seen.push({ type: 'answer', usage, ...(model !== '' && { model }), at: ended })
}

/** Returns the instructions of a request. */
function textsIn(body: Line): readonly string[] {
  const own = typeof body['instructions'] === 'string' ? [body['instructions']] : []
  const system =
    typeof body['system'] === 'string'
      ? [body['system']]
      : list(body['system']).map((part) => text(memberIn(part, 'text')))
  const messages = [...list(body['messages']), ...list(body['input'])]
    .filter((message) => ['system', 'developer'].includes(text(memberIn(message, 'role'))))
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

/** Returns the turns, calls and results in the messages of a request. */
function saidIn(body: Line): readonly Said[] {
  if (typeof body['input'] === 'string') return [{ type: 'turn', text: body['input'] }]
  return [...list(body['messages']), ...list(body['input'])].map(object).flatMap((message) => {
    const { role, content } = message
    if (text(message['type']) !== '' && message['type'] !== 'message') return itemIn(message)
    if (role === 'tool') return [aResult(message['tool_call_id'], content, false)]
    const parts = list(content).map(object)
    const results = parts
      .filter(({ type }) => type === 'tool_result')
      .map((part) => aResult(part['tool_use_id'], part['content'], part['is_error'] === true))
    if (role === 'assistant') {
      const uses = parts.filter(({ type }) => type === 'tool_use')
      const calls = list(message['tool_calls']).map(object)
      return [
        ...uses.flatMap(({ id, name, input }) => aCall(id, text(name), input)),
        ...calls.flatMap(({ id, function: called }) =>
          aCall(id, text(memberIn(called, 'name')), argumentsIn(memberIn(called, 'arguments'))),
        ),
      ]
    }
    const said = textInContent(content)
    const isTurn = role === 'user' && results.length === 0 && said !== ''
    return isTurn ? [{ type: 'turn', text: said } as const] : results
  })
}

/** Reads an item of the Responses API that is no message. */
function itemIn(item: Line): readonly Said[] {
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call': {
      const space = text(item['namespace'])
      const name = `${space && `${space}__`}${text(item['name'])}`
      return aCall(item['call_id'], name, argumentsIn(item['arguments'] ?? item['input']))
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [aResult(item['call_id'], item['output'], false)]
    default:
      return []
  }
}

function aCall(id: unknown, name: string, input: unknown): readonly Said[] {
  const tool = toolNameIn(name)
  return tool === '' ? [] : [{ type: 'call', call: text(id), tool, input }]
}

function aResult(id: unknown, content: unknown, isError: boolean): Said {
  return { type: 'result', call: text(id), isError, text: textInContent(content) }
}

function argumentsIn(given: unknown): unknown {
  return jsonIn(text(given)) ?? given
}

/** Returns the tokens that an answer counts, in JSON or in events; null when it has none. */
function usageIn(answer: string): ObservedUsage | null {
  const whole = jsonIn(answer)
  const events = isObject(whole)
    ? [whole]
    : answer
        .split('\n')
        .flatMap((line) =>
          line.startsWith('data:') ? [object(jsonIn(line.slice('data:'.length)))] : [],
        )
  // Events count the input first and the output last.
  const usage: Line = Object.assign(
    {},
    ...events.map((event) =>
      object(event['usage'] ?? memberIn(event['message'] ?? event['response'], 'usage')),
    ),
  ) as Line
  const isChat = 'prompt_tokens' in usage
  const details = object(usage[isChat ? 'prompt_tokens_details' : 'input_tokens_details'])
  const of = object(usage[isChat ? 'completion_tokens_details' : 'output_tokens_details'])
  if ('cache_read_input_tokens' in usage) return messagesUsage(usage)
  const input = usage[isChat ? 'prompt_tokens' : 'input_tokens']
  if (typeof input !== 'number') return null
  return {
    input: number(input),
    cached: number(details['cached_tokens']),
    output: number(usage[isChat ? 'completion_tokens' : 'output_tokens']),
    reasoning: number(of['reasoning_tokens']),
  }
}
