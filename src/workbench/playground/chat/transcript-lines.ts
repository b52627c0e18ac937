import type { ModelMessage } from 'ai'
import { sanitiseLine, sanitiseText } from '../../../entries/kit.ts'
import { keptText } from '../../../entries/plan.ts'
import { cachedPart } from '../../report/facts/request-report.ts'
import type { ChatEvent, ChatQuestion, ChatStep } from './chat-event.ts'

/** A part of a conversation as people read it, in one or more lines. Sanitised. */
export interface TranscriptLine {
  readonly kind: 'person' | 'model' | 'step' | 'call' | 'arrived' | 'left' | 'failed' | 'note'
  readonly text: string
  /** The arguments or the result in full, where the text has their beginning. */
  readonly whole?: unknown
}

/** Characters of a result in one line. */
const RESULT_LENGTH = 120

/**
 * Writes what happens in a conversation. Nothing for the text of the model: it comes in pieces.
 *
 * @param tools the names of the tools of the step before; null before the first one
 */
export function transcriptLines(
  event: ChatEvent,
  tools: readonly string[] | null,
): readonly TranscriptLine[] {
  switch (event.type) {
    case 'turn.begun':
      return [{ kind: 'person', text: `> ${sanitiseLine(event.text)}` }]
    case 'step.begun':
      return [{ kind: 'step', text: stepText(event, tools) }]
    case 'text':
    case 'reasoning':
      return []
    case 'call.started':
      return [
        {
          kind: 'call',
          text: `  → ${sanitiseLine(`${event.tool} ${JSON.stringify(event.input) ?? ''}`)}`,
          whole: event.input,
        },
      ]
    case 'call.ended': {
      const line = sanitiseLine(`${event.tool}  ${event.text}`)
      const shown = line.length <= RESULT_LENGTH ? line : `${line.slice(0, RESULT_LENGTH)}…`
      const text = `  ${event.ok ? '✓' : '✗'} ${shown}`
      return [{ kind: event.ok ? 'step' : 'failed', text, whole: event.text }]
    }
    case 'skills.changed':
      return [
        ...event.activated.map((one): TranscriptLine => ({
          kind: 'arrived',
          text: `  + skill ${sanitiseLine(one)}`,
        })),
        ...event.deactivated.map((one): TranscriptLine => ({
          kind: 'left',
          text: `  − skill ${sanitiseLine(one)}`,
        })),
      ]
    case 'asked':
      return [{ kind: 'call', text: questionLines(event) }]
    case 'answered':
      return [{ kind: 'call', text: `  ${sanitiseLine(event.tool)}: ${ANSWERED[event.answer]}` }]
    case 'notice': {
      const { message, hint } = event
      return [{ kind: 'note', text: sanitiseText(hint === '' ? message : `${message}\n${hint}`) }]
    }
    case 'turn.ended':
      return event.status === 'done' ? [] : [{ kind: 'left', text: `  ${ENDED[event.status]}` }]
  }
}

const ANSWERED = {
  call: 'approved once',
  session: 'approved for this session',
  digest: 'approved for all sessions',
  no: 'denied',
}

const ENDED = {
  waiting: 'The turn waits for an answer. Continue it with --session.',
  interrupted: 'The turn was interrupted.',
  stopped: 'The turn was stopped.',
  failed: 'There is no answer.',
}

/** The request of a step: its price, what the provider has of it from before, and the tools, or how they changed. */
function stepText(
  { step, tokens, tools, cost }: ChatStep,
  before: readonly string[] | null,
): string {
  const kept = cost === null || cost.previous === 0 ? '' : `, ${keptText(cachedPart(cost, cost))}`
  const changed =
    before === null
      ? tools.join(' ')
      : [
          ...tools.filter((name) => !before.includes(name)).map((name) => `+${name}`),
          ...before.filter((name) => !tools.includes(name)).map((name) => `−${name}`),
        ].join(' ')
  const listed = changed === '' ? '' : `: ${changed}`
  return sanitiseLine(
    `step ${step}  request ${number(tokens)} tokens${kept}  ${tools.length} tools${listed}`,
  )
}

function number(value: number): string {
  return value.toLocaleString('en')
}

/** Writes a question: the call, its risk, and the reasons. */
export function questionLines({ question, tool, input, risk, about }: ChatQuestion): string {
  const call = sanitiseLine(`${tool} ${JSON.stringify(input) ?? ''}`)
  const reasons = about === '' ? [] : sanitiseText(about).split('\n')
  return [
    `  ? ${call}`,
    `    risk: ${risk}, question ${sanitiseLine(question)}`,
    ...reasons.map((one) => `    ${one}`),
  ].join('\n')
}

/** Writes the stored messages of a conversation: texts and calls, without steps and results. */
export function storedTranscript(messages: readonly ModelMessage[]): readonly TranscriptLine[] {
  return messages.flatMap(({ role, content }): readonly TranscriptLine[] => {
    if (typeof content === 'string') {
      return role === 'user'
        ? transcriptLines({ type: 'turn.begun', text: content }, null)
        : [{ kind: 'model', text: sanitiseText(content) }]
    }
    return content.flatMap((part): readonly TranscriptLine[] => {
      if (part.type === 'text') {
        return [{ kind: role === 'user' ? 'person' : 'model', text: sanitiseText(part.text) }]
      }
      if (part.type !== 'tool-call') return []
      const { toolCallId: call, toolName: tool, input } = part
      return transcriptLines({ type: 'call.started', call, tool, input }, null)
    })
  })
}
