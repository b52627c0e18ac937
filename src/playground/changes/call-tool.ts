import type { ApprovalScope } from '../../engine/consent/consent-state.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { isEmpty, type ToolDifference } from '../../engine/tool-difference.ts'
import type { ToolResponse } from '../../registry/tool-response.ts'
import type { DocumentDiff } from '../../render/prompt/diff-documents.ts'
import { note } from './change-report.ts'
import { differenceOf, takeMoment } from '../timeline/moment-difference.ts'
import { closeDialog, openDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { readArguments } from '../text/read-arguments.ts'
import { screenTurns } from './screen-turns.ts'
import type { Banner, UiStore } from '../context/ui-state.ts'

/** The calls that are under way, by the store of their screen; one at a time. */
const running = new WeakMap<UiStore, AbortController>()

/** Whether a call of this screen is under way. */
export function isCalling({ ui }: PlaygroundContext): boolean {
  return running.has(ui)
}

/** Make the call that the open dialog describes; its answer, or its question, is shown next. */
export async function makeCall(context: PlaygroundContext): Promise<void> {
  const dialog = openDialog(context, 'call')
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
  const dialog = openDialog(context, 'confirm')
  if (dialog === null || isCalling(context)) return
  const { confirmation } = dialog
  const outcome = await screenTurns(context.ui)(() =>
    context.workspace().approve(confirmation, { by: 'user', remember }),
  )
  if (outcome.ok) return call(context, dialog.tool, dialog.input)
  closeDialog(context)
  context.ui.setState({ banner: note('refused', sanitiseLine(outcome.message)) })
}

/** Deny what the open dialog asks: the same call is refused for the rest of the turn. */
export async function denyCall(context: PlaygroundContext): Promise<void> {
  const dialog = openDialog(context, 'confirm')
  if (dialog === null) return
  closeDialog(context)
  const { confirmation } = dialog
  const outcome = await screenTurns(context.ui)(() =>
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
    const { workspace, before, answer } = await screenTurns(ui)(async () => {
      const workspace = context.workspace()
      const before = takeMoment(workspace)
      return { workspace, before, answer: workspace.callTool(tool, input, made) }
    })
    const response = await answer
    const { tools, document } = differenceOf(before, takeMoment(workspace), counter)
    if (!isEmpty(tools)) ui.setState({ banner: changedTools(tool, tools, document) })
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

/** Tools come and go with a call, too: one that loads a skill, or the last use of one. */
function changedTools(
  tool: string,
  difference: ToolDifference,
  { tokens, prefixKept: { tokens: kept, ofTokens } }: DocumentDiff,
): Banner {
  const text = `${sanitiseLine(tool)} changed the tools`
  const prefixKept = ofTokens === 0 ? null : kept / ofTokens
  return { tone: 'note', text, difference, tokens, prefixKept }
}
