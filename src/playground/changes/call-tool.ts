import type { ApprovalScope } from '../../engine/model/consent-state.ts'
import { isEmpty } from '../../engine/standing/tool-difference.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'
import { note } from '../context/banner.ts'
import { closeDialog, currentDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiStore } from '../context/ui-state.ts'
import { readArguments } from './read-arguments.ts'
import { differenceOf, takeMoment } from './compare-moments.ts'
import { differenceReport } from './change-report.ts'
import { screenTurns } from './screen-turns.ts'

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
  const outcome = await screenTurns(context.ui)(() =>
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
    const difference = differenceOf(before, takeMoment(workspace), counter)
    // Tools come and go with a call, too: one that loads a skill, or the last use of one.
    if (!isEmpty(difference.tools)) {
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
