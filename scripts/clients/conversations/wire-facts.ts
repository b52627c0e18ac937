import { tryOrUndefined } from '../../../src/entries/kit.ts'
import { type Conversation, markOf, type TalkingClient } from './conversation.ts'
import {
  list,
  memberIn,
  text,
  textInContent,
  toolNameIn,
} from '../../../src/connections/observed/content/text-in-content.ts'
import { readListing } from '../read-listing.ts'
import type { CallFact, ConversationFacts, SkillList, ThreadFacts } from './facts.ts'
import type { WireRequest } from './run-conversation.ts'
import { messagesIn, partTexts } from './wire-texts.ts'

/**
 * Reads from the requests of a conversation what its model was shown and did.
 *
 * @param isWhole false for what a transcript has: without tools of the provider
 */
export function wireFacts(
  client: TalkingClient,
  { turns }: Conversation,
  wire: readonly WireRequest[],
  isWhole: boolean,
): ConversationFacts {
  // Without a later request, no request shows that the person went back.
  const last = isWhole ? Math.max(...wire.map(({ turn }) => turn)) : Infinity
  const kept = wire.filter(({ turn }) => turns[turn]?.isRewound !== true || turn === last)
  const threads = Map.groupBy(kept, ({ thread }) => thread)
  return Object.fromEntries(
    [...threads].map(([thread, requests]) => [thread, threadFacts(client, requests, isWhole)]),
  )
}

/** Clients whose transcripts have the requests for a summary, with their tokens. */
const WRITES_SUMMARIES: ReadonlySet<TalkingClient> = new Set(['codex', 'opencode'])

function threadFacts(
  client: TalkingClient,
  requests: readonly WireRequest[],
  isWhole: boolean,
): ThreadFacts {
  // In a recording, the request of OpenCode for a summary is a session of its own.
  const hasSummaries = isWhole ? client !== 'opencode' : WRITES_SUMMARIES.has(client)
  const counted = requests.filter(({ isSummary }) => !isSummary || hasSummaries)
  const skills: (readonly [number, SkillList])[] = []
  for (const [index, { body }] of counted.entries()) {
    const shown = skillsIn(client, body)
    const isNew = JSON.stringify(skills.at(-1)?.[1] ?? []) !== JSON.stringify(shown)
    if (isNew) skills.push([index + 1, shown])
  }
  const messages = requests.flatMap(({ body }) => messagesIn(body))
  const calls = new Map<string, CallFact>()
  for (const { body, calls: made } of requests) {
    const answered = made.map(({ id: call, name, namespace, input }) => {
      return { call, tool: namespace ? `${namespace}__${name}` : name, input, result: null }
    })
    // A client may send a call in another form than that of the answer.
    for (const call of messagesIn(body).flatMap(callsIn)) calls.set(call.call, call)
    // A recording has the calls that requests have.
    for (const call of isWhole ? [] : answered)
      if (!calls.has(call.call)) calls.set(call.call, call)
  }
  for (const [id, result] of messages.flatMap(resultsIn)) {
    const call = calls.get(id)
    if (call !== undefined) calls.set(id, { ...call, result })
  }
  return {
    requests: counted.length,
    skills,
    loaded: loadedIn(messages),
    tools: list(memberIn(counted.at(-1)?.body, 'tools'))
      .flatMap((tool) => toolNames(tool, isWhole))
      .toSorted(),
    calls: [...calls.values()],
  }
}

/** Returns the skills that a request lists: a later list of Claude Code has only what is new. */
function skillsIn(client: TalkingClient, body: unknown): SkillList {
  const texts = [
    ...partTexts(memberIn(body, 'system')),
    text(memberIn(body, 'instructions')),
    ...messagesIn(body)
      .filter((message) => !['assistant', 'tool'].includes(text(memberIn(message, 'role'))))
      .flatMap((message) => partTexts(memberIn(message, 'content'))),
  ]
  const lists = texts.flatMap((one) => {
    const found = readListing(client, [{ path: '', body: { tools: [0], input: [one] } }]) ?? []
    return found.length > 0 ? [found] : []
  })
  if (client !== 'claude-code') return lists.at(-1) ?? []
  return [...new Map(lists.flat().map((one) => [one[0], one])).values()]
}

function toolNames(tool: unknown, isWhole: boolean): readonly string[] {
  const own = text(memberIn(tool, 'name')) || text(memberIn(memberIn(tool, 'function'), 'name'))
  const name = own || (isWhole ? text(memberIn(tool, 'type')) : '')
  const inner = list(memberIn(tool, 'tools')).map(
    (one) => `${name}__${text(memberIn(one, 'name'))}`,
  )
  return inner.length > 0 ? inner : [name].filter((one) => one !== '')
}

/** The skills of the script whose instructions are in a text that the model did not write, in their order. */
function loadedIn(messages: readonly unknown[]): readonly string[] {
  const loaded = new Set<string>()
  const mark = new RegExp(`${markOf('([\\w-]+)')}|Body of (skill-\\d+)\\.`, 'g')
  for (const message of messages) {
    const { role, output } = message as { role?: unknown; output?: unknown }
    if (role === 'assistant') continue
    const content = memberIn(message, 'content') ?? output
    const texts = [
      ...partTexts(content),
      ...list(content).map((part) => textInContent(memberIn(part, 'content'))),
    ]
    for (const [, name, made = ''] of texts.join('\n').matchAll(mark)) loaded.add(name ?? made)
  }
  return [...loaded]
}

/** The calls in a message of Messages or Chat Completions, or an item of Responses. */
function callsIn(message: unknown): readonly CallFact[] {
  const result = null
  const type = memberIn(message, 'type')
  if (type === 'function_call' || type === 'custom_tool_call') {
    const space = text(memberIn(message, 'namespace'))
    const tool = toolNameIn(`${space && `${space}__`}${text(memberIn(message, 'name'))}`)
    const given = memberIn(message, 'arguments') ?? memberIn(message, 'input')
    return [{ call: text(memberIn(message, 'call_id')), tool, input: parsed(given), result }]
  }
  const anthropic = list(memberIn(message, 'content'))
    .filter((part) => memberIn(part, 'type') === 'tool_use')
    .map((part) => ({
      call: text(memberIn(part, 'id')),
      tool: toolNameIn(memberIn(part, 'name')),
      input: memberIn(part, 'input'),
      result,
    }))
  const openai = list(memberIn(message, 'tool_calls')).map((call) => ({
    call: text(memberIn(call, 'id')),
    tool: toolNameIn(memberIn(memberIn(call, 'function'), 'name')),
    input: parsed(memberIn(memberIn(call, 'function'), 'arguments')),
    result,
  }))
  return [...anthropic, ...openai]
}

function parsed(given: unknown): unknown {
  return typeof given === 'string'
    ? (tryOrUndefined(() => JSON.parse(given) as unknown) ?? given)
    : given
}

/** Returns the results of calls in a message, with the ids of their calls. */
export function resultsIn(message: unknown): readonly (readonly [call: string, text: string])[] {
  const type = text(memberIn(message, 'type'))
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    const output = memberIn(message, 'output')
    return [[text(memberIn(message, 'call_id')), textInContent(output)]]
  }
  if (memberIn(message, 'role') === 'tool')
    return [[text(memberIn(message, 'tool_call_id')), textInContent(memberIn(message, 'content'))]]
  return list(memberIn(message, 'content'))
    .filter((part) => memberIn(part, 'type') === 'tool_result')
    .map((part) => [
      text(memberIn(part, 'tool_use_id')),
      textInContent(memberIn(part, 'content')).replace(REMARK, ''),
    ])
}

/** A remark that Claude Code adds to a result of another, in the request only: it is an entry of its own in the transcript. */
const REMARK = /\n\n<system-reminder>\n<total_tokens>.*<\/total_tokens>\n<\/system-reminder>$/
