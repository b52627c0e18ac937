import type { Observation, ObservedSession } from '../observation.ts'
import {
  list,
  memberIn,
  object,
  text,
  textInContent,
  readTime,
  toolNameIn,
} from '../content/text-in-content.ts'

type Line = Readonly<Record<string, unknown>>

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool'])

/** Returns the messages of a file of the AI SDK: a list of them, or an object that has it; null for another file. */
export function messagesIn(file: unknown): readonly Line[] | null {
  const messages = list(Array.isArray(file) ? file : memberIn(file, 'messages'))
  const isKnown = (message: unknown) =>
    ROLES.has(memberIn(message, 'role')) &&
    ['parts', 'content'].some((name) => name in object(message))
  return messages.length > 0 && messages.every(isKnown) ? messages.map(object) : null
}

/**
 * Reads messages of the AI SDK, those of its UI or those of its models. They have neither tools nor the list of skills, and
 * instructions only in messages of the system.
 */
export function readMessages(messages: readonly Line[], file: unknown): ObservedSession {
  const seen: Observation[] = []
  for (const message of messages) {
    const at = readTime(message['createdAt'], seen.at(-1)?.at)
    const { role, parts, content } = message
    const own = list(parts ?? content).map(object)
    const said = textInContent(own.length > 0 ? own.filter(({ type }) => type === 'text') : content)
    if (role === 'system') {
      const shown = { id: 'system-0', title: 'System prompt', text: said }
      seen.push({ type: 'texts', texts: [shown], at })
    } else if (role === 'user') seen.push({ type: 'turn', text: said, at })
    else if (role === 'tool') for (const part of own) seen.push(...resultIn(part, at))
    else {
      // A message of a model is a step; one of a UI has several, whose parts say where they begin.
      if (own[0]?.['type'] !== 'step-start') seen.push({ type: 'request', at })
      for (const part of own) seen.push(...partSeen(part, at))
    }
  }
  const id = text(memberIn(file, 'id')) || text(memberIn(file, 'chatId')) || 'messages'
  return { session: id, client: 'ai-sdk', version: null, folder: null, seen }
}

/** Reads a part of an assistant's message. */
function partSeen(part: Line, at: number): readonly Observation[] {
  const type = text(part['type'])
  if (type === 'step-start') return [{ type: 'request', at }]
  if (type === 'tool-result') return resultIn(part, at)
  if (type === 'tool-invocation') {
    const { args: input, result: output, ...more } = object(part['toolInvocation'])
    return partSeen({ ...more, type: 'dynamic-tool', input, output }, at)
  }
  const isOfModel = type === 'tool-call'
  if (!isOfModel && type !== 'dynamic-tool' && !type.startsWith('tool-')) return []
  const call = text(part['toolCallId'])
  const tool = toolNameIn(part['toolName'] ?? type.slice('tool-'.length))
  if (call === '' || tool === '') return []
  const began = { type: 'call', call, tool, input: part['input'] ?? part['args'], at } as const
  return isOfModel ? [began] : [began, ...answerIn(part, call, at)]
}

/** Returns the result of a call of a UI, if it has one. */
function answerIn(part: Line, call: string, at: number): readonly Observation[] {
  switch (part['state']) {
    case 'output-available':
    case 'result':
      return [{ type: 'result', call, outcome: 'ok', text: outputText(part['output']), at }]
    case 'output-error':
      return [{ type: 'result', call, outcome: 'failed', text: text(part['errorText']), at }]
    case 'output-denied': {
      const reason = text(memberIn(part['approval'], 'reason'))
      return [{ type: 'result', call, outcome: 'refused', text: reason, at }]
    }
    default:
      return []
  }
}

/** Reads the result of a call that a model reads. */
function resultIn(part: Line, at: number): readonly Observation[] {
  if (part['type'] !== 'tool-result') return []
  const call = text(part['toolCallId'])
  const output = part['output']
  const kind = text(memberIn(output, 'type'))
  if (kind === 'execution-denied') {
    return [
      { type: 'result', call, outcome: 'refused', text: text(memberIn(output, 'reason')), at },
    ]
  }
  // Earlier versions have a result without a type.
  const value = kind === '' ? part['result'] : memberIn(output, 'value')
  const isFailed = kind.startsWith('error') || part['isError'] === true
  const said = kind === 'content' ? textInContent(value) : outputText(value)
  return [{ type: 'result', call, outcome: isFailed ? 'failed' : 'ok', text: said, at }]
}

function outputText(output: unknown): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}
