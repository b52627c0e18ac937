import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../shell/json-text.ts'
import { type Paint, paint } from '../shell/paint.ts'
import { sanitiseLine, sanitiseText } from '../../kernel/sanitise-text.ts'
import type {
  ChatEvent,
  ChatNotice,
  ChatQuestion,
  ChatStep,
} from '../../playground/chat/chat-event.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** Prints a conversation. */
export interface ChatPrinter {
  readonly prompt: string
  opened(model: string, isStored: boolean): void
  print(event: ChatEvent): void
}

interface PrinterOptions {
  readonly json?: true
  readonly print?: string
}

/** Characters of a result in one line. */
const RESULT_LENGTH = 120

/**
 * Returns the printer of a run: events as lines of JSON, with `--print` the answer alone, else all steps. Texts of the
 * model, of tools and of questions are sanitised.
 */
export function chatPrinter(
  { session }: VirtualWorkspace,
  { json, print }: PrinterOptions,
  context: CliContext,
): ChatPrinter {
  const out = (text: string) => void context.stdout.write(text)
  if (json === true) {
    const line = (value: unknown) => out(jsonText(value, 0))
    return {
      prompt: '',
      opened: (model, isStored) => line({ type: 'session.opened', session, model, isStored }),
      print: line,
    }
  }
  if (print !== undefined) return answerPrinter(context)
  return {
    prompt: context.terminal === undefined ? '' : '> ',
    opened(model, isStored) {
      const where = isStored ? `session ${session}` : 'the session is not stored'
      out(`${paint(sanitiseLine(`Talking to ${model}, ${where}`), 'dim', context)}\n`)
      if (context.terminal)
        out(`${paint('Ctrl-C ends a turn, Ctrl-D the command', 'dim', context)}\n`)
    },
    print: transcript(context),
  }
}

/** Prints the text of the answer on stdout, and what went wrong on stderr. */
function answerPrinter({ stdout, stderr }: CliContext): ChatPrinter {
  const write = streamed((text) => void stdout.write(text))
  return {
    prompt: '',
    opened: () => {},
    print(event) {
      switch (event.type) {
        case 'text':
          write.text(event.text)
          return
        case 'notice':
          write.end()
          stderr.write(noticeText(event))
          return
        case 'asked':
          write.end()
          stderr.write(`${questionLines(event)}${HOW_TO_ANSWER}`)
          return
        case 'step.begun':
        case 'turn.ended':
          write.end()
          return
        case 'turn.begun':
        case 'reasoning':
        case 'call.started':
        case 'call.ended':
        case 'skills.changed':
        case 'answered':
      }
    },
  }
}

const HOW_TO_ANSWER =
  'loadout: nobody can be asked here. Answer with "loadout approve <question>" or "loadout deny <question>", then continue with --session.\n'

/** Prints everything that happens. */
function transcript(context: CliContext): ChatPrinter['print'] {
  const write = streamed((text) => void context.stdout.write(text))
  let tools: readonly string[] | null = null
  const line = (text: string, colour?: Paint) => {
    write.end()
    context.stdout.write(`${paint(text, colour, context)}\n`)
  }
  return (event) => {
    switch (event.type) {
      case 'turn.begun':
        if (context.terminal === undefined) line(`> ${sanitiseLine(event.text)}`, 'bold')
        return
      case 'step.begun':
        line(stepLine(event, tools), 'dim')
        ;({ tools } = event)
        return
      case 'reasoning':
        return
      case 'text':
        write.text(event.text)
        return
      case 'call.started':
        line(`  → ${sanitiseLine(`${event.tool} ${JSON.stringify(event.input) ?? ''}`)}`)
        return
      case 'call.ended':
        line(
          `  ${event.ok ? '✓' : '✗'} ${shortened(`${event.tool}  ${event.text}`)}`,
          event.ok ? 'dim' : 'red',
        )
        return
      case 'skills.changed':
        for (const skill of event.activated) line(`  + skill ${sanitiseLine(skill)}`, 'green')
        for (const skill of event.deactivated) line(`  − skill ${sanitiseLine(skill)}`, 'yellow')
        return
      case 'asked':
        write.end()
        context.stdout.write(questionLines(event))
        return
      case 'answered':
        line(`  ${sanitiseLine(event.tool)}: ${ANSWERED[event.answer]}`)
        return
      case 'notice':
        write.end()
        context.stdout.write(noticeText(event))
        return
      case 'turn.ended':
        write.end()
        if (event.status !== 'done') line(`  ${ENDED[event.status]}`, 'yellow')
    }
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
function stepLine(
  { step, tokens, tools, cost }: ChatStep,
  before: readonly string[] | null,
): string {
  const kept =
    cost === null || cost.previous === 0
      ? ''
      : `, kept ${number(cost.kept)} of ${number(cost.previous)}`
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

function questionLines({ question, tool, input, risk, about }: ChatQuestion): string {
  const call = sanitiseLine(`${tool} ${JSON.stringify(input) ?? ''}`)
  const reasons = about === '' ? [] : sanitiseText(about).split('\n')
  return [
    `  ? ${call}`,
    `    risk: ${risk}, question ${sanitiseLine(question)}`,
    ...reasons.map((one) => `    ${one}`),
    '',
  ].join('\n')
}

function noticeText({ message, hint }: ChatNotice): string {
  return `loadout: ${sanitiseText(message)}\n${hint === '' ? '' : `${sanitiseText(hint)}\n`}`
}

function shortened(text: string): string {
  const line = sanitiseLine(text)
  return line.length <= RESULT_LENGTH ? line : `${line.slice(0, RESULT_LENGTH)}…`
}

/** Writes deltas of a text, and a line break after it. A delta may end in the middle of a character or a sequence. */
function streamed(write: (text: string) => void) {
  let held = ''
  let isOpen = false
  const put = (text: string) => {
    if (text === '') return
    write(sanitiseText(text))
    isOpen = !text.endsWith('\n')
  }
  return {
    text(delta: string) {
      const all = held + delta
      held = /[\uD800-\uDBFF\r]$/u.exec(all)?.[0] ?? ''
      put(held === '' ? all : all.slice(0, -held.length))
    },
    end() {
      put(held)
      held = ''
      if (isOpen) write('\n')
      isOpen = false
    },
  }
}
