import { Box } from 'ink'
import { useMemo } from 'react'
import { listingAddress } from '../../engine/standing/listing-address.ts'
import type { JsonSchema } from '../../kernel/json.ts'
import { Line, type Span } from '../../render/ink/parts/line.tsx'
import { ScrolledText } from '../../render/ink/parts/scrolled-text.tsx'
import { wrappedText } from '../../render/ink/parts/wrapped-text.ts'
import { argumentFacts } from '../../render/prompt/sections/argument-facts.ts'
import { identityMemo } from '../../render/prompt/document/identity-memo.ts'
import { abortCall, isCalling, makeCall } from '../changes/call-tool.ts'
import { changeDialog } from '../context/current-dialog.ts'
import type { DialogOf } from '../context/dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { arrowActions } from '../keys/scroll-actions.ts'
import type { Action } from '../context/action.ts'
import type { DialogKind } from '../context/dialog-kind.ts'
import { noteSize } from '../context/drawn-size.ts'
import { editArguments } from './edit-arguments.ts'
import { fieldSpans } from '../text/field-spans.ts'
import { jsonLines } from '../text/json-lines.ts'
import {
  deleteAfter,
  deleteBefore,
  insertText,
  moveCursor,
  type TextField,
} from '../text/text-field.ts'

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
    noteSize(context, 'call', { width, height: room })
    const { tool, problem, scroll = 0 } = dialog
    // Looking through thousands of tools at every key would be felt.
    const schema = useMemo(() => schemaOf({ tool }, context), [tool, context])
    const help = isCalling(context)
      ? 'Calling. Esc aborts.'
      : 'enter calls, ctrl+e opens $EDITOR, esc closes'
    const remark: Span = problem === '' ? { text: help, dim: true } : { text: problem, tone: 'bad' }
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

const kept = identityMemo<string>()

/** The arguments in words, then the schema itself. */
function schemaLines(schema: JsonSchema, width: number): readonly string[] {
  const text = kept([schema], '', () => {
    const facts = argumentFacts(schema).map(({ label, value }) => `${label}: ${value}`)
    const told = facts.length === 0 ? ['It takes no arguments.'] : facts
    return [...told, '', ...jsonLines(schema)].join('\n')
  })
  return wrappedText(text, width)
}
