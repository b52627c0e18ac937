import { Box } from 'ink'
import { useMemo } from 'react'
import type { JsonSchema } from '../../../entries/index.ts'
import { argumentFacts } from '../../../entries/plan.ts'
import { Line, ScrolledText, type TextSpan, wrappedText } from '../../../entries/ink-views.ts'
import {
  describeQuestion,
  identityMemo,
  listingAddress,
  type PendingConfirmation,
  sanitiseText,
} from '../../../entries/kit.ts'
import {
  type FormField,
  initialArguments,
  fieldIssue,
  nextChoice,
  withField,
} from '../changes/form-fields.ts'
import { cursorAt, FormRows, parsedArguments, readForm } from './form-rows.tsx'
import { answerSchema } from '../changes/answer-question.ts'
import { abortCall, denyCall, isCalling, makeCall, readArguments } from '../changes/make-call.ts'
import { changeDialog, currentDialog } from '../context/current-dialog.ts'
import type { DialogKind } from '../context/key-table.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { rememberDrawnSize } from '../context/screen-layout.ts'
import type { Action } from '../context/screen-pane.ts'
import type { DialogOf } from '../context/ui-state.ts'
import { fieldActions } from '../keys/field-actions.ts'
import { arrowActions } from '../keys/scroll-actions.ts'
import { fieldSpans, insertText, moveCursor, type TextField } from '../text/text-field.ts'
import { jsonLines } from '../text/text-lines.ts'

/** The field or its description, the problem or the keys, and an empty line. */
const HEAD_ROWS = 3

/** Asks for the arguments of a tool, in a form of its schema or as JSON. */
export const callDialog: DialogKind<'call'> = {
  kind: 'call',
  title({ tool, question, answer }) {
    if (answer === 'reason') return `Deny the call of ${tool}`
    if (answer === 'input') return `Approve ${tool} with other arguments`
    return question === undefined ? `Call ${tool}` : `${tool} asks`
  },
  isBesideLists: true,
  actions: [
    { id: 'call.make', title: 'Call', keys: ['enter'], run: makeCall },
    {
      id: 'call.abort',
      title: 'Abort the call, or decline what it asks',
      keys: ['esc'],
      when: (context) => isCalling(context) || isQuestion(context),
      run: (context) => (isQuestion(context) ? decline(context) : abortCall(context)),
    },
    { id: 'call.json', title: 'Form or JSON', keys: ['ctrl+t'], run: switchForm },
    { id: 'call.edit', title: 'Edit in $EDITOR', keys: ['ctrl+e'], run: editArguments },
    {
      id: 'call.choose',
      title: 'Next value',
      keys: ['space'],
      when: isChoice,
      run: (context) => choose(context, 1),
    },
    sideways('left', 'Cursor left, or previous value', -1),
    sideways('right', 'Cursor right, or next value', 1),
    ...fieldActions('call', change),
    ...arrowActions('call', (dialog, width, context) =>
      schemaLines(toSchema(dialog, context), width),
    ).map(inForm),
  ],
  type: (context, typed) => change(context, (now) => insertText(now, typed)),
  View({ dialog, context, width, height, theme }) {
    const { tool, problem, scroll = 0, text, form, question, answer } = dialog
    const about = question === undefined ? '' : describeQuestion(asked(question, context) ?? {})
    const asks =
      question === undefined ? [] : wrappedText(sanitiseText(about), width).slice(0, QUESTION_ROWS)
    const room = Math.max(0, height - HEAD_ROWS - asks.length)
    rememberDrawnSize(context, 'call', { width, height: room })
    // Searching thousands of tools at every key would be noticeable.
    const schema = useMemo(
      () => toSchema({ tool, question, answer }, context),
      [tool, question, answer, context],
    )
    const { fields, issues } = readForm(schema, text)
    const keys = form === undefined ? JSON_KEYS : FORM_KEYS
    const ownKeys = answer === 'content' ? ANSWER_KEYS : OWN_KEYS
    const help = question !== undefined ? ownKeys : isCalling(context) ? CALLING : keys
    const general = issues.find((issue) => fields.every((one) => fieldIssue(one, [issue]) === null))
    const wrong =
      problem !== '' || form === undefined || general === undefined
        ? problem
        : `${general.path} ${general.message}`
    const remark: TextSpan = wrong === '' ? { text: help, dim: true } : { text: wrong, tone: 'bad' }
    const current = form === undefined ? undefined : fields[form.at]
    const none = current === undefined && question === undefined ? 'No arguments.' : ''
    const head: readonly TextSpan[] =
      form === undefined
        ? fieldSpans(dialog, width, theme)
        : [{ text: current?.description || none || ' ' }]
    return (
      <Box flexDirection="column" flexShrink={0}>
        {asks.map((line, at) => (
          <Line key={`${at} ${line}`} theme={theme} width={width} spans={[{ text: line }]} />
        ))}
        <Line theme={theme} width={width} spans={head} />
        <Line theme={theme} width={width} spans={[remark]} />
        <Line theme={theme} width={width} spans={[{ text: ' ' }]} />
        {form === undefined ? (
          <ScrolledText
            lines={schemaLines(schema, width)}
            scroll={scroll}
            width={width}
            height={room}
            theme={theme}
          />
        ) : (
          <FormRows {...{ fields, issues, form, width, theme }} text={text} height={room} />
        )}
      </Box>
    )
  },
}

/** Rows of what a running call asks. */
const QUESTION_ROWS = 6

const ANSWER_KEYS = 'Enter answers, Esc declines. Ctrl-T shows JSON. No address is opened.'

const OWN_KEYS = 'Enter answers, Esc closes. Ctrl-T shows JSON, Ctrl-E opens $EDITOR.'

const FORM_KEYS =
  'Enter calls. Up and Down change the field, Ctrl-T shows JSON, Ctrl-E opens $EDITOR, Esc closes.'

const JSON_KEYS = 'Enter calls, Ctrl-T shows the form, Ctrl-E opens $EDITOR, Esc closes.'

/** Opens the form of a tool, with the arguments that were typed for it last. */
export function openCall(context: PlaygroundContext, tool: string, schema: JsonSchema): void {
  const { ui } = context
  const text = ui.getState().arguments.get(tool) ?? JSON.stringify(initialArguments(schema))
  const form = cursorAt(schema, text, 0)
  ui.setState({ dialog: { kind: 'call', tool, text, cursor: text.length, problem: '', form } })
}

function asked(question: string, context: PlaygroundContext): PendingConfirmation | undefined {
  return context.workspace().state.confirmations.find(({ id }) => id === question)
}

function isQuestion(context: PlaygroundContext): boolean {
  return currentDialog(context, 'call')?.question !== undefined
}

/** Closes the form. Declines what a running call asks. */
async function decline(context: PlaygroundContext): Promise<void> {
  const { question: id = '', answer = 'content' } = currentDialog(context, 'call') ?? {}
  const question = asked(id, context)
  context.ui.setState({ dialog: null })
  if (answer === 'content' && question !== undefined) await denyCall(context, question)
}

function isForm(context: PlaygroundContext): boolean {
  return currentDialog(context, 'call')?.form !== undefined
}

function currentField(context: PlaygroundContext): FormField | undefined {
  const dialog = currentDialog(context, 'call')
  if (dialog?.form === undefined) return undefined
  return readForm(toSchema(dialog, context), dialog.text).fields[dialog.form.at]
}

function isChoice(context: PlaygroundContext): boolean {
  return currentField(context)?.kind === 'choice'
}

/** In a form, up and down change the field; in JSON they scroll the schema. */
function inForm(scroll: Action): Action {
  const by = scroll.id === 'call.up' ? -1 : scroll.id === 'call.down' ? 1 : 0
  if (by === 0) return scroll
  return {
    id: scroll.id,
    title: by < 0 ? 'Previous field, or scroll up' : 'Next field, or scroll down',
    keys: [...scroll.keys, by < 0 ? 'shift+tab' : 'tab'],
    run: (context) => {
      if (!isForm(context)) return scroll.run(context)
      return changeDialog(context, 'call', (dialog) => {
        const at = (dialog.form?.at ?? 0) + by
        return { form: cursorAt(toSchema(dialog, context), dialog.text, at) }
      })
    },
  }
}

function sideways(key: 'left' | 'right', title: string, by: 1 | -1): Action {
  return {
    id: `call.${key}`,
    title,
    keys: [key],
    run: (context) =>
      isChoice(context) ? choose(context, by) : change(context, (now) => moveCursor(now, by)),
  }
}

function choose(context: PlaygroundContext, by: 1 | -1): void {
  const field = currentField(context)
  if (field === undefined) return
  change(context, ({ text }) => {
    const next = nextChoice(field, text, by)
    return { text: next, cursor: next.length }
  })
}

/** Switches between the form and JSON. Text that is not JSON stays. */
function switchForm(context: PlaygroundContext): void {
  changeDialog(context, 'call', (dialog) => {
    const { text, form } = dialog
    if (form !== undefined) return { form: undefined, cursor: text.length }
    const input = readArguments(text)
    return input.ok
      ? { form: cursorAt(toSchema(dialog, context), text, 0), problem: '' }
      : { problem: input.problem }
  })
}

/** Shown while the call is running. */
const CALLING = 'Calling. Esc aborts.'

/** Changes the current field, removes the problem, and keeps the arguments for the next call of the tool. */
function change(context: PlaygroundContext, to: (now: TextField) => TextField): void {
  const field = currentField(context)
  changeDialog(context, 'call', (dialog) => {
    const { form, text, cursor } = dialog
    if (form === undefined) return { ...to({ text, cursor }), problem: '' }
    if (field === undefined) return {}
    const now = to(form)
    const value = withField(parsedArguments(text), field, now.text)
    return { text: JSON.stringify(value), form: { ...form, ...now }, problem: '' }
  })
  const dialog = currentDialog(context, 'call')
  if (dialog !== null) keepArguments(context, dialog)
}

function keepArguments(
  { ui }: PlaygroundContext,
  { tool, text, question }: DialogOf<'call'>,
): void {
  if (question !== undefined) return
  ui.setState((state) => ({ arguments: new Map(state.arguments).set(tool, text) }))
}

const NO_SCHEMA: JsonSchema = {}

function toSchema(
  { tool, question, answer = 'content' }: Pick<DialogOf<'call'>, 'tool' | 'question' | 'answer'>,
  context: PlaygroundContext,
): JsonSchema {
  if (question !== undefined) {
    return answerSchema(context, asked(question, context) ?? { tool }, answer)
  }
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
    const isForm = dialog.form !== undefined && readArguments(text).ok
    const form = isForm ? cursorAt(toSchema(dialog, context), text, 0) : undefined
    return { text, cursor: text.length, problem: '', form }
  })
  const after = currentDialog(context, 'call')
  if (after !== null) keepArguments(context, after)
}

/** Reformats JSON. */
function written(text: string, indent: 0 | 2): string {
  try {
    return JSON.stringify(JSON.parse(text), null, indent)
  } catch {
    // Any other text stays, on one line.
    if (indent !== 0) return text
    const lines = text.split(/[\r\n]/v).map((line) => line.trim())
    return lines.filter((line) => line !== '').join(' ')
  }
}
