import { Box } from 'ink'
import { useMemo } from 'react'
import { listingAddress } from '../../engine/standing/list-tools.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { abortCall, approveCall, denyCall, isCalling, makeCall } from '../changes/make-call.ts'
import { changeDialog, closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action } from '../context/screen-pane.ts'
import type { DialogOf } from '../context/ui-state.ts'
import { arrowActions, scrollActions } from '../keys/scroll-actions.ts'
import {
  deleteAfter,
  deleteBefore,
  fieldSpans,
  insertText,
  moveCursor,
  type TextField,
} from '../text/text-field.ts'
import { jsonLines } from '../text/text-lines.ts'
import { wrappedText } from '../../render/ink/parts/fit-text.ts'
import { Line, type TextSpan } from '../../render/ink/parts/line.tsx'
import { ScrolledText } from '../../render/ink/parts/windowed-rows.tsx'
import { envelopeLines, EnvelopeView } from '../../render/ink/views/envelope-view.tsx'
import { identityMemo } from '../../kernel/identity-memo.ts'
import { argumentFacts } from '../../render/prompt/sections/tool-sections.ts'

/** The field, what is wrong or what keys do, and an empty line. */
const HEAD_ROWS = 3

/** Arguments for a tool, typed as JSON, with its schema below. */
export const callDialog: DialogKind<'call'> = {
  kind: 'call',
  title: ({ tool }) => `Call ${tool}`,
  actions: [
    { id: 'call.make', title: 'Call', keys: ['enter'], run: makeCall },
    { id: 'call.edit', title: 'Edit in $EDITOR', keys: ['ctrl+e'], run: editArguments },
    { id: 'call.abort', title: 'Abort the call', keys: ['esc'], when: isCalling, run: abortCall },
    field('left', 'Letter before', ['left'], (now) => moveCursor(now, -1)),
    field('right', 'Letter after', ['right'], (now) => moveCursor(now, 1)),
    field('first', 'To the beginning', ['home', 'ctrl+a'], ({ text }) => ({ text, cursor: 0 })),
    field('last', 'To the end', ['end'], ({ text }) => ({ text, cursor: text.length })),
    field('delete-before', 'Delete the letter before', ['backspace'], deleteBefore),
    field('delete-after', 'Delete the letter after', ['delete', 'ctrl+d'], deleteAfter),
    field('empty', 'Begin anew', ['ctrl+u'], () => ({ text: '', cursor: 0 })),
    ...arrowActions('call', (dialog, width, context) =>
      schemaLines(schemaOf(dialog, context), width),
    ),
  ],
  type: (context, typed) => change(context, (now) => insertText(now, typed)),
  View({ dialog, context, width, height, theme }) {
    const room = Math.max(0, height - HEAD_ROWS)
    rememberDrawnSize(context, 'call', { width, height: room })
    const { tool, problem, scroll = 0 } = dialog
    // Looking through thousands of tools at every key would be felt.
    const schema = useMemo(() => schemaOf({ tool }, context), [tool, context])
    const help = isCalling(context)
      ? 'Calling. Esc aborts.'
      : 'enter calls, ctrl+e opens $EDITOR, esc closes'
    const remark: TextSpan =
      problem === '' ? { text: help, dim: true } : { text: problem, tone: 'bad' }
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Line theme={theme} width={width} spans={fieldSpans(dialog, width, theme)} />
        <Line theme={theme} width={width} spans={[remark]} />
        <Line theme={theme} width={width} spans={[{ text: ' ' }]} />
        <ScrolledText
          lines={schemaLines(schema, width)}
          scroll={scroll}
          width={width}
          height={room}
          theme={theme}
        />
      </Box>
    )
  },
}

function field(
  id: string,
  title: string,
  keys: readonly string[],
  to: (now: TextField) => TextField,
): Action {
  return { id: `call.${id}`, title, keys, run: (context) => change(context, to) }
}

/** What was wrong is gone once something is typed. */
function change(context: PlaygroundContext, to: (now: TextField) => TextField): void {
  changeDialog(context, 'call', ({ text, cursor }) => ({ ...to({ text, cursor }), problem: '' }))
}

const NO_SCHEMA: JsonSchema = {}

function schemaOf(
  { tool }: Pick<DialogOf<'call'>, 'tool'>,
  context: PlaygroundContext,
): JsonSchema {
  const listing = context
    .workspace()
    .tools()
    .find((one) => one.name === tool || listingAddress(one) === tool)
  return listing?.tool?.inputSchema ?? NO_SCHEMA
}

const keptSchemas = identityMemo<string>()

/** The arguments in words, then the schema itself. */
function schemaLines(schema: JsonSchema, width: number): readonly string[] {
  const text = keptSchemas([schema], '', () => {
    const facts = argumentFacts(schema).map(({ label, value }) => `${label}: ${value}`)
    const told = facts.length === 0 ? ['It takes no arguments.'] : facts
    return [...told, '', ...jsonLines(schema)].join('\n')
  })
  return wrappedText(text, width)
}

/** Edit the arguments of the open dialog in `$EDITOR`, spread over lines as far as they are JSON. */
async function editArguments(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'call')
  if (dialog === null) return
  const edited = await context.edit(`${written(dialog.text, 2)}\n`, '.json')
  changeDialog(context, 'call', () => {
    if (edited === null) return { problem: 'The editor gave nothing back. Is $EDITOR set?' }
    const text = written(edited, 0)
    return { text, cursor: text.length, problem: '' }
  })
}

/** JSON written anew; what is none stays, on one line. */
function written(text: string, indent: 0 | 2): string {
  try {
    return JSON.stringify(JSON.parse(text), null, indent)
  } catch {
    return indent === 0 ? onOneLine(text) : text
  }
}

function onOneLine(text: string): string {
  const lines = text.split(/[\r\n]/v).map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** Rows above the arguments. */
const CONFIRM_HEAD_ROWS = 2

/** A call that a person has to approve: what would be called, and with which arguments. */
export const confirmDialog: DialogKind<'confirm'> = {
  kind: 'confirm',
  title: ({ tool }) => `Call ${tool}?`,
  actions: [
    {
      id: 'confirm.approve',
      title: 'Approve, and make the call',
      keys: ['y'],
      run: approveCall,
    },
    { id: 'confirm.deny', title: 'Deny', keys: ['n'], run: denyCall },
    {
      id: 'confirm.abort',
      title: 'Abort the call',
      keys: ['esc'],
      when: isCalling,
      run: abortCall,
    },
    ...scrollActions('confirm', confirmLines),
  ],
  View({ dialog, context, width, height, theme }) {
    const room = Math.max(0, height - CONFIRM_HEAD_ROWS)
    rememberDrawnSize(context, 'confirm', { width, height: room })
    const asks = isCalling(context)
      ? 'Calling. Esc aborts.'
      : 'y approves and calls, n denies, esc leaves it open'
    return (
      <Box flexDirection="column" flexShrink={0}>
        <Line theme={theme} width={width} spans={[{ text: asks, bold: true, tone: 'warning' }]} />
        <Line
          theme={theme}
          width={width}
          spans={[{ text: 'It would be called with', dim: true }]}
        />
        <ScrolledText
          lines={confirmLines(dialog, width)}
          scroll={dialog.scroll ?? 0}
          width={width}
          height={room}
          theme={theme}
        />
      </Box>
    )
  },
}

function confirmLines({ input }: DialogOf<'confirm'>, width: number): readonly string[] {
  return wrappedText(jsonLines(input).join('\n'), width)
}

/** What a call answered with. */
export const answerDialog: DialogKind<'answer'> = {
  kind: 'answer',
  title: ({ tool, response }) => `${tool} ${response.ok ? 'answered' : 'failed'}`,
  actions: [
    { id: 'answer.close', title: 'Close', keys: ['q', 'enter'], run: closeDialog },
    ...scrollActions('answer', answerLines),
  ],
  View({ dialog, context, width, height, theme }) {
    rememberDrawnSize(context, 'answer', { width, height })
    const { response, scroll } = dialog
    return <EnvelopeView {...{ response, scroll, width, height, theme }} />
  },
}

const keptAnswers = identityMemo<readonly string[]>()

function answerLines({ response }: DialogOf<'answer'>, width: number): readonly string[] {
  return keptAnswers([response], `${width}`, () => envelopeLines(response, width))
}
