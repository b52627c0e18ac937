import type { ObservedSession } from '../observation.ts'
import { list, memberIn, object, text, textInContent } from '../content/text-in-content.ts'
import { readParts } from './read-qwen-code.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns true for the first line of a transcript of Gemini CLI. */
export function isGeminiCliLine({ sessionId, projectHash }: Line): boolean {
  return typeof sessionId === 'string' && typeof projectHash === 'string'
}

/**
 * Reads a transcript of Gemini CLI (`~/.gemini/tmp/<project>/chats/session-….jsonl`). It has neither instructions, nor
 * tools, nor the list of skills. A part of the conversation that the person went back from is a session of its own.
 */
export function readGeminiCli(lines: readonly Line[]): readonly ObservedSession[] {
  const first = lines.find(isGeminiCliLine) ?? {}
  const messages = messagesIn(lines)
  const folders = [...messages.values()].map(({ message }) => geminiFolder(message))
  const about = {
    session: text(first['sessionId']),
    client: 'gemini-cli',
    version: null,
    folder: folders.find((one) => one !== null) ?? null,
  }
  return readParts(about, linesOfMessages(messages))
}

/** A message in its last form, and the id of the message before. */
interface GeminiMessage {
  readonly id: string
  readonly before: string | null
  readonly message: Line
}

/**
 * Puts messages together: a later line of the same id replaces one, `$rewindTo` goes back to before a message, and `$set`
 * has all messages again, when a session goes on or its beginning is summarised.
 */
function messagesIn(lines: readonly Line[]): ReadonlyMap<string, GeminiMessage> {
  const messages = new Map<string, GeminiMessage>()
  let way: string[] = []
  const add = (id: string, message: Line) => {
    const known = messages.get(id)
    const before = known === undefined ? (way.at(-1) ?? null) : known.before
    messages.set(id, { id, before, message })
    if (known === undefined) way.push(id)
  }
  for (const line of lines) {
    const back = line['$rewindTo']
    if (typeof back === 'string') way = way.slice(0, Math.max(0, way.indexOf(back)))
    else if (typeof line['id'] === 'string') add(line['id'], line)
    const all = list(memberIn(line['$set'], 'messages')).map(object)
    if (all.length === 0) continue
    const isSummary = way.some((id) => messages.get(id)?.message['type'] === 'gemini')
    // Results are in the calls.
    const added = all.filter(
      ({ id, content }) =>
        !messages.has(text(id)) &&
        list(content).every((part) => memberIn(part, 'functionResponse') === undefined),
    )
    for (const message of added.slice(0, isSummary ? 1 : added.length)) {
      add(text(message['id']), isSummary ? { ...message, type: 'summary' } : message)
    }
  }
  return messages
}

/** The text in which Gemini CLI says where it runs. */
const CONTEXT = /^<session_context>[^]*?\n- \*\*Workspace Directories:\*\*\n {2}- ([^\n]+)\n/

/** Returns the folder that a message of Gemini CLI says it runs in; null for another message. */
export function geminiFolder({ content }: Line): string | null {
  return CONTEXT.exec(textInContent(content))?.[1] ?? null
}

/** Writes messages in the lines that Qwen Code has for them: one for an answer, and one for each result. */
function linesOfMessages(messages: ReadonlyMap<string, GeminiMessage>): readonly Line[] {
  let tokens: unknown
  return [...messages.values()].flatMap(({ id, before, message }) => {
    const results = list(messages.get(before ?? '')?.message['toolCalls']).length
    const parentUuid = results === 0 ? before : `${before}/${results}`
    const at = { uuid: id, parentUuid, timestamp: message['timestamp'] }
    if (message['type'] === 'gemini') {
      tokens = memberIn(message['tokens'], 'input')
      return linesOfAnswer(at, message)
    }
    const info = { originalTokenCount: tokens }
    if (message['type'] === 'summary')
      return [{ ...at, type: 'system', subtype: 'chat_compression', systemPayload: { info } }]
    const isTurn = message['type'] === 'user' && geminiFolder(message) === null
    return [
      { ...at, type: isTurn ? 'user' : 'system', message: { parts: [message['content']].flat() } },
    ]
  })
}

function linesOfAnswer(at: Line & { readonly uuid: string }, message: Line): readonly Line[] {
  const { tokens, model } = message
  const calls = list(message['toolCalls']).map(object)
  const answer = {
    ...at,
    type: 'assistant',
    model,
    message: { parts: calls.map((functionCall) => ({ functionCall })) },
    usageMetadata: {
      promptTokenCount: memberIn(tokens, 'input'),
      candidatesTokenCount: memberIn(tokens, 'output'),
      cachedContentTokenCount: memberIn(tokens, 'cached'),
      thoughtsTokenCount: memberIn(tokens, 'thoughts'),
    },
  }
  const results = calls.map((call, index) => ({
    uuid: `${at.uuid}/${index + 1}`,
    parentUuid: index === 0 ? at.uuid : `${at.uuid}/${index}`,
    timestamp: call['timestamp'],
    type: 'tool_result',
    message: { parts: list(call['result']) },
    toolCallResult: { status: call['status'] },
  }))
  return [answer, ...results]
}
