import type { VirtualWorkspace } from '../../../entries/index.ts'
import {
  displayWidth,
  graphemes,
  sanitiseLine,
  sanitiseText,
  wrapLines,
} from '../../../entries/kit.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { howToAnswer } from '../../report/facts/questions-report.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { type Paint, paint } from '../../report/writers/paint.ts'
import type { ChatEvent, ChatNotice } from '../../playground/chat/chat-event.ts'
import {
  questionLines,
  type TranscriptLine,
  transcriptLines,
} from '../../playground/chat/transcript-lines.ts'

/** Prints a conversation. */
export interface ChatPrinter {
  readonly prompt: string
  opened(model: string, isStored: boolean): void
  /** @param event with `child` for one of a child session */
  print(event: ChatEvent & { readonly child?: string }): void
}

/**
 * Returns the printer of a run: events as lines of JSON, with `--print` the answer alone, else all steps. Texts of the
 * model, of tools and of questions are sanitised.
 */
export function chatPrinter(
  { session }: VirtualWorkspace,
  options: { readonly json?: true; readonly print?: string; readonly scenario?: string },
  context: CliContext,
): ChatPrinter {
  const out = (text: string) => void context.stdout.write(text)
  const { json, print, scenario } = options
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
      const enter = scenario === undefined ? '' : 'Enter makes the next move, '
      if (context.terminal)
        out(`${paint(`${enter}Ctrl-C ends a turn, Ctrl-D the command`, 'dim', context)}\n`)
    },
    print: transcript(context, scenario === undefined),
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
          stderr.write(`${questionLines(event)}\n${HOW_TO_ANSWER}`)
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

const HOW_TO_ANSWER = `loadout: nobody can be asked here. ${howToAnswer()}, then continue with --session.\n`

/**
 * Begins each line of a model's text, so that it never looks like a question or a result of the command. On a terminal
 * each row has it: blanks could push the rest of a line to the start of the next row.
 */
const MODEL_LINE = '│ '

/** Columns by which later rows of any other line are indented on a terminal, for the same reason. */
const HANG = 4

/**
 * Prints everything that happens.
 *
 * @param isTyped a terminal shows each message already, because it was typed
 */
function transcript(context: CliContext, isTyped: boolean): ChatPrinter['print'] {
  const columns = context.isTerminal ? Math.max(20, context.columns) : undefined
  const rows = (text: string) =>
    columns === undefined ? text : wrapLines(text, columns, HANG).join('\n')
  const write = streamed((text) => void context.stdout.write(text), MODEL_LINE, columns)
  let tools: readonly string[] | null = null
  return (event) => {
    switch (event.type) {
      case 'text':
        write.text(event.text)
        return
      case 'reasoning':
        return
      case 'notice':
        write.end()
        context.stdout.write(`${rows(noticeText(event).trimEnd())}\n`)
        return
      case 'turn.begun':
        if (context.terminal !== undefined && isTyped) return
        break
      default:
    }
    write.end()
    const { child } = event
    for (const { kind, text } of transcriptLines(event, child === undefined ? tools : null)) {
      const shown = child === undefined ? text : text.replaceAll(/^/gmu, '    ')
      context.stdout.write(`${paint(rows(shown), PAINTS[kind], context)}\n`)
    }
    if (event.type === 'step.begun' && child === undefined) ({ tools } = event)
  }
}

const PAINTS: Readonly<Record<TranscriptLine['kind'], Paint | undefined>> = {
  person: 'bold',
  model: undefined,
  step: 'dim',
  call: undefined,
  arrived: 'green',
  left: 'yellow',
  failed: 'red',
  note: undefined,
}

function noticeText({ message, hint }: ChatNotice): string {
  return `loadout: ${sanitiseText(message)}\n${hint === '' ? '' : `${sanitiseText(hint)}\n`}`
}

/**
 * Writes deltas of a text, and a line break after it. A delta may end in the middle of a character or a sequence.
 *
 * @param mark the beginning of each row
 * @param columns those of a terminal, where a longer line is cut into rows
 */
function streamed(write: (text: string) => void, mark = '', columns?: number) {
  let held = ''
  /** Columns of the open row that are used; null before its mark. */
  let used: number | null = null
  const put = (text: string) => {
    const shown = sanitiseText(text)
    let rows = ''
    for (const letter of graphemes(columns === undefined ? shown : shown.replaceAll('\t', TAB))) {
      if (used === null) rows += mark
      used ??= mark.length
      if (letter === '\n') {
        rows += letter
        used = null
        continue
      }
      const width = columns === undefined ? 0 : displayWidth(letter)
      if (columns !== undefined && used + width > columns) {
        rows += `\n${mark}`
        used = mark.length
      }
      rows += letter
      used += width
    }
    write(rows)
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
      if (used !== null) write('\n')
      used = null
    },
  }
}

const TAB = '    '
