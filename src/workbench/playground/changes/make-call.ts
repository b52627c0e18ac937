import type { ToolResponse } from '../../../entries/index.ts'
import { type ApprovalScope, type PendingConfirmation, sanitiseLine } from '../../../entries/kit.ts'
import { answerQuestion, giveAnswer, onQuestion, openQuestion } from './answer-question.ts'
import { differenceReport, screenQueue, whyNoChange } from './change-session.ts'
import { captureMoment, differenceSince } from '../../report/facts/compare-moments.ts'
import { currentDialog } from '../context/current-dialog.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { showQuestion } from '../context/show-question.ts'
import { type OwnCall, note, type UiStore } from '../context/ui-state.ts'
import { isAnswering } from './writing-actions.ts'

/** The running calls by the store of their screen; each screen runs one at a time. */
const running = new WeakMap<UiStore, AbortController>()

/** Returns true while a call of this screen is running. */
export function isCalling({ ui }: PlaygroundContext): boolean {
  return running.has(ui)
}

/** Makes the call of the open dialog, then shows its response or asks for approval. */
export async function makeCall(context: PlaygroundContext): Promise<void> {
  const dialog = currentDialog(context, 'call')
  if (dialog === null || (dialog.question === undefined && isCalling(context))) return
  const input = readArguments(dialog.text)
  if (input.ok && dialog.question !== undefined) {
    const { question, answer = 'content' } = dialog
    const own = callAskedAbout(context, question)
    const problem = await answerQuestion(context, question, input.value, answer)
    // The call may have asked the next question by now.
    if (currentDialog(context, 'call')?.question !== question) return
    context.ui.setState({ dialog: problem === null ? null : { ...dialog, problem } })
    if (problem === null && answer === 'input' && own) return call(context, own.tool, own.input)
  } else if (input.ok) await call(context, dialog.tool, input.value)
  else context.ui.setState({ dialog: { ...dialog, problem: input.problem } })
}

/** The calls of each screen that wait for an answer, by the id of the question. */
const asking = new WeakMap<UiStore, Map<string, OwnCall>>()

/** Returns the call that a question is about, if this screen made it. */
export function callAskedAbout({ ui }: PlaygroundContext, question: string): OwnCall | undefined {
  return asking.get(ui)?.get(question)
}

/** Makes the last call of this screen again, with the current handler. */
export function repeatCall(context: PlaygroundContext): Promise<void> | void {
  const { ui } = context
  const { lastCall } = ui.getState()
  const why = whyNoChange(context)
  if (lastCall !== null && why === null && !isCalling(context)) {
    return call(context, lastCall.tool, lastCall.input)
  }
  const text = why ?? 'No call was made on this screen: c on a tool makes one.'
  if (!isCalling(context)) ui.setState({ banner: note('note', text) })
}

/** Approves the call of a question, for `remember`. A call of this screen is then made again. */
export async function approveCall(
  context: PlaygroundContext,
  { id, tool }: Pick<PendingConfirmation, 'id' | 'tool'>,
  remember: ApprovalScope,
): Promise<void> {
  const asked = context.workspace().state.confirmations.find((one) => one.id === id)
  if (asked?.elicitation !== undefined) return openQuestion(context, asked)
  const outcome = await giveAnswer(context, (workspace) =>
    workspace.approve(id, { by: 'user', remember }),
  )
  const own = callAskedAbout(context, id)
  if (outcome.ok && own !== undefined) return call(context, own.tool, own.input)
  const text = outcome.ok
    ? `The call of ${tool} was approved${isAnswering(context) ? '' : ': it runs when its caller repeats it'}`
    : outcome.message
  context.ui.setState({ banner: note(outcome.ok ? 'done' : 'refused', sanitiseLine(text)) })
}

/** Opens the form for the other arguments of a call, or for the reason of a denial. */
export async function openAnswer(
  context: PlaygroundContext,
  asked: PendingConfirmation,
  answer: 'input' | 'reason',
): Promise<void> {
  if (asked.elicitation !== undefined) return openQuestion(context, asked)
  const known = asked.arguments ?? callAskedAbout(context, asked.id)?.input
  openQuestion(context, asked, answer, answer === 'input' ? known : undefined)
}

/** Denies the call of a question: the same call is refused for the rest of the turn. */
export async function denyCall(
  context: PlaygroundContext,
  { id, tool }: Pick<PendingConfirmation, 'id' | 'tool'>,
): Promise<void> {
  const outcome = await giveAnswer(context, (workspace) => workspace.deny(id, { by: 'user' }))
  const text = outcome.ok ? `The call of ${tool} was denied` : outcome.message
  context.ui.setState({ banner: note(outcome.ok ? 'done' : 'refused', sanitiseLine(text)) })
}

/** Aborts the running call; its response says so. */
export function abortCall({ ui }: PlaygroundContext): void {
  running.get(ui)?.abort(new Error('The user aborted the call.'))
}

/** Makes one call as the user. Its response is shown unless another dialog was opened meanwhile. */
async function call(context: PlaygroundContext, tool: string, input: unknown): Promise<void> {
  const { ui, counter } = context
  const asked = ui.getState().dialog
  const controller = new AbortController()
  running.set(ui, controller)
  ui.setState({ lastCall: { tool, input } })
  ui.setState({ busy: `calling ${sanitiseLine(tool)}, Esc aborts` })
  try {
    const made = { caller: 'user', signal: controller.signal } as const
    // Started in the queue but not awaited there, so that other changes do not wait for the call.
    const { workspace, before, pending } = await screenQueue(ui)(async () => {
      const workspace = context.workspace()
      const before = await captureMoment(workspace)
      return { workspace, before, pending: workspace.callTool(tool, input, made) }
    })
    const stop = onQuestion(workspace, (asked) => openQuestion(context, asked))
    const response = await pending.finally(stop)
    const difference = await differenceSince(before, workspace, counter)
    // A call may change the tools: it can activate a skill, or be the last use of one.
    if (Object.values(difference.tools).some((names) => names.length > 0)) {
      const text = `${sanitiseLine(tool)} changed the available tools`
      ui.setState({ banner: differenceReport('note', text, difference) })
    }
    const { dialog } = ui.getState()
    if (dialog === null || dialog.kind === asked?.kind) show(context, tool, input, response)
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
  const dialog = ui.getState().dialog
  if (!response.ok && response.error.type === 'VALIDATION' && dialog?.kind === 'call') {
    return ui.setState({ dialog: { ...dialog, problem: sanitiseLine(response.error.message) } })
  }
  const confirmation = response.ok ? undefined : response.error.details['confirmation']
  const isAsked = !response.ok && response.error.type === 'CONFIRMATION_REQUIRED'
  if (!isAsked || typeof confirmation !== 'string') {
    return ui.setState({ dialog: { kind: 'answer', tool, response, scroll: 0 } })
  }
  const questions = asking.get(ui) ?? new Map<string, OwnCall>()
  asking.set(ui, questions.set(confirmation, { tool, input }))
  ui.setState((state) => ({ ...showQuestion(state, confirmation), dialog: null }))
}

/** Typed arguments as a value, or the problem with them. */
type ReadArguments =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** Parses typed JSON; an empty text means no arguments. */
export function readArguments(text: string): ReadArguments {
  try {
    return { ok: true, value: JSON.parse(text.trim() === '' ? '{}' : text) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, problem: `Not valid JSON: ${sanitiseLine(why)}.` }
  }
}
