import type { ApprovalScope } from '../../engine/model/consent-event.ts'
import { isEmptyDifference } from '../../engine/standing/tool-table.ts'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { differenceReport, screenQueue } from './change-session.ts'
import { captureMoment, compareMoments } from './compare-moments.ts'
import { closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { note, type UiStore } from '../context/ui-state.ts'
import type { TextField } from '../text/text-field.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'

/** The calls that are under way, by the store of their screen; one at a time. */
const running = new WeakMap<UiStore, AbortController>()

/** Whether a call of this screen is under way. */
export function isCalling({ ui }: PlaygroundContext): boolean {
  return running.has(ui)
}

/** Make the call that the open dialog describes; its answer, or its question, is shown next. */
export async function makeCall(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'call')
  if (dialog === null || isCalling(context)) return
  const input = readArguments(dialog.text)
  if (input.ok) await call(context, dialog.tool, input.value)
  else context.ui.setState({ dialog: { ...dialog, problem: input.problem } })
}

/** Approve what the open dialog asks, for as long as is said, and make the call again. */
export async function approveCall(
  context: PlaygroundContext,
  remember: ApprovalScope = 'call',
): Promise<void> {
  const dialog = currentDialog(context, 'confirm')
  if (dialog === null || isCalling(context)) return
  const { confirmation } = dialog
  const outcome = await screenQueue(context.ui)(() =>
    context.workspace().approve(confirmation, { by: 'user', remember }),
  )
  if (outcome.ok) return call(context, dialog.tool, dialog.input)
  closeDialog(context)
  context.ui.setState({ banner: note('refused', sanitiseLine(outcome.message)) })
}

/** Deny what the open dialog asks: the same call is refused for the rest of the turn. */
export async function denyCall(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'confirm')
  if (dialog === null) return
  closeDialog(context)
  const { confirmation } = dialog
  const outcome = await screenQueue(context.ui)(() =>
    context.workspace().deny(confirmation, { by: 'user' }),
  )
  const text = outcome.ok ? `The call of ${dialog.tool} was denied.` : outcome.message
  context.ui.setState({ banner: note(outcome.ok ? 'done' : 'refused', sanitiseLine(text)) })
}

/** Give the call that is under way up; its envelope says so. */
export function abortCall({ ui }: PlaygroundContext): void {
  running.get(ui)?.abort(new Error('The user gave the call up.'))
}

/** One call as the user. Its answer is shown unless something else was opened meanwhile. */
async function call(context: PlaygroundContext, tool: string, input: unknown): Promise<void> {
  const { ui, counter } = context
  const asked = ui.getState().dialog
  const controller = new AbortController()
  running.set(ui, controller)
  ui.setState({ busy: `calling ${sanitiseLine(tool)}, esc aborts` })
  try {
    const made = { caller: 'user', signal: controller.signal } as const
    // Begun in its turn, but not awaited there: what a person does meanwhile is not held up.
    const { workspace, before, answer } = await screenQueue(ui)(async () => {
      const workspace = context.workspace()
      const before = captureMoment(workspace)
      return { workspace, before, answer: workspace.callTool(tool, input, made) }
    })
    const response = await answer
    const difference = compareMoments(before, captureMoment(workspace), counter)
    // Tools come and go with a call, too: one that loads a skill, or the last use of one.
    if (!isEmptyDifference(difference.tools)) {
      const text = `${sanitiseLine(tool)} changed the tools`
      ui.setState({ banner: differenceReport('note', text, difference) })
    }
    if (ui.getState().dialog?.kind === asked?.kind) show(context, tool, input, response)
  } finally {
    running.delete(ui)
    ui.setState({ busy: null })
  }
}

function show(
  { ui }: PlaygroundContext,
  tool: string,
  input: unknown,
  response: ToolResponse,
): void {
  const confirmation = response.ok ? undefined : response.error.details['confirmation']
  const isAsked = !response.ok && response.error.type === 'CONFIRMATION_REQUIRED'
  ui.setState({
    dialog:
      isAsked && typeof confirmation === 'string'
        ? { kind: 'confirm', tool, confirmation, input }
        : { kind: 'answer', tool, response, scroll: 0 },
  })
}

/**
 * The arguments a schema requires, with its defaults or blanks, to begin with. The cursor stands
 * in the first blank text, else before the last brace.
 */
export function draftArguments(schema: JsonSchema | undefined): TextField {
  const { required, properties } = objectOf(schema)
  const schemas = new Map(Object.entries(objectOf(properties)))
  const names = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []
  const fields = names.map((name) => `${JSON.stringify(name)}: ${blankOf(schemas.get(name))}`)
  const text = `{${fields.join(', ')}}`
  const quotes = text.indexOf(': ""')
  return { text, cursor: quotes < 0 ? text.length - 1 : quotes + ': "'.length }
}

const BLANKS: ReadonlyMap<unknown, string> = new Map([
  ['number', '0'],
  ['integer', '0'],
  ['boolean', 'false'],
  ['array', '[]'],
  ['object', '{}'],
  ['null', 'null'],
])

function blankOf(schema: unknown): string {
  const { default: preset, const: only, enum: choices, type } = objectOf(schema)
  const [first] = Array.isArray(choices) ? choices : []
  const value: unknown = preset ?? only ?? first
  if (value !== undefined) return JSON.stringify(value)
  return BLANKS.get(Array.isArray(type) ? type[0] : type) ?? '""'
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** Typed arguments as a value, or why they are none. */
type ReadArguments =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** Read JSON as it was typed; nothing at all is no arguments. */
export function readArguments(text: string): ReadArguments {
  try {
    return { ok: true, value: JSON.parse(text.trim() === '' ? '{}' : text) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, problem: `This is not JSON: ${sanitiseLine(why)}.` }
  }
}
