import { Box } from 'ink'
import { useMemo } from 'react'
import { listingAddress } from '../../engine/standing/list-tools.ts'
import type { JsonSchema } from '../../kernel/json-value.ts'
import { abortCall, isCalling, makeCall } from '../changes/make-call.ts'
import { changeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action } from '../context/screen-pane.ts'
import type { DialogOf } from '../context/ui-state.ts'
import { arrowActions } from '../keys/scroll-actions.ts'
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
import { identityMemo } from '../../kernel/identity-memo.ts'
import { argumentFacts } from '../../render/prompt/sections/tool-sections.ts'

/** The field, the problem or the keys, and an empty line. */
const HEAD_ROWS = 3

/** Asks for the arguments of a tool, as JSON, with its schema below. */
export const callDialog: DialogKind<'call'> = {
  kind: 'call',
  title: ({ tool }) => `Call ${tool}`,
  actions: [
    { id: 'call.make', title: 'Call', keys: ['enter'], run: makeCall },
    { id: 'call.edit', title: 'Edit in $EDITOR', keys: ['ctrl+e'], run: editArguments },
    { id: 'call.abort', title: 'Abort the call', keys: ['esc'], when: isCalling, run: abortCall },
    field('left', 'Cursor left', ['left'], (now) => moveCursor(now, -1)),
    field('right', 'Cursor right', ['right'], (now) => moveCursor(now, 1)),
    field('first', 'Go to the start', ['home', 'ctrl+a'], ({ text }) => ({ text, cursor: 0 })),
    field('last', 'Go to the end', ['end'], ({ text }) => ({ text, cursor: text.length })),
    field('delete-before', 'Delete the character before', ['backspace'], deleteBefore),
    field('delete-after', 'Delete the character after', ['delete', 'ctrl+d'], deleteAfter),
    field('empty', 'Delete all text', ['ctrl+u'], () => ({ text: '', cursor: 0 })),
    ...arrowActions('call', (dialog, width, context) =>
      schemaLines(schemaOf(dialog, context), width),
    ),
  ],
  type: (context, typed) => change(context, (now) => insertText(now, typed)),
  View({ dialog, context, width, height, theme }) {
    const room = Math.max(0, height - HEAD_ROWS)
    rememberDrawnSize(context, 'call', { width, height: room })
    const { tool, problem, scroll = 0 } = dialog
    // Searching thousands of tools at every key would be noticeable.
    const schema = useMemo(() => schemaOf({ tool }, context), [tool, context])
    const help = isCalling(context) ? CALLING : 'Enter calls, Ctrl-E opens $EDITOR, Esc closes.'
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

/** Shown while the call is running. */
const CALLING = 'Calling. Esc aborts.'

function field(
  id: string,
  title: string,
  keys: readonly string[],
  to: (now: TextField) => TextField,
): Action {
  return { id: `call.${id}`, title, keys, run: (context) => change(context, to) }
}

/** Changes the field, and removes the problem. */
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

const schemaCache = identityMemo<string>()

/** The arguments in words, then the schema as JSON. */
function schemaLines(schema: JsonSchema, width: number): readonly string[] {
  const text = schemaCache([schema], '', () => {
    const facts = argumentFacts(schema).map(({ label, value }) => `${label}: ${value}`)
    const words = facts.length === 0 ? ['No arguments.'] : facts
    return [...words, '', ...jsonLines(schema)].join('\n')
  })
  return wrappedText(text, width)
}

/** Edits the arguments of the open dialog in `$EDITOR`, as indented JSON when they can be parsed. */
async function editArguments(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'call')
  if (dialog === null) return
  const edited = await context.edit(`${written(dialog.text, 2)}\n`, '.json')
  changeDialog(context, 'call', () => {
    if (edited === null) return { problem: 'The editor returned nothing. Is $EDITOR set?' }
    const text = written(edited, 0)
    return { text, cursor: text.length, problem: '' }
  })
}

/** Reformats JSON; any other text stays, on one line. */
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
