import { accepted, type Decision, UNCHANGED } from './decision.ts'
import type { CommandOf, Order } from '../model/command.ts'
import { requestMade } from '../model/step-call.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/** Begins a step. One whose request was made before in its turn is an attempt at that one. */
export function decideStep(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'step.begin'>,
): Decision {
  const { type: _, ...begun } = command
  const { conversation: { history } = {}, run, cost } = begun
  const made = history === undefined ? undefined : requestMade(state.stepCalls, history, run)
  const step = {
    type: 'step.begun' as const,
    step: state.step + 1,
    ...begun,
    ...attemptAfter(made),
  }
  const { provider, tooMany } = cost ?? {}
  // Given once, and again after a request that had fewer.
  if (!tooMany || state.cost?.tooMany) return accepted(order, step)
  const warning = {
    type: 'warning.given' as const,
    code: 'too-many-tools',
    subject: String(provider),
    message: `The request has ${tooMany.tools} tools, and ${provider} takes at most ${tooMany.most}: it refuses a request with more.`,
    hint: 'Set "discovery", so that tools are found by search or called with call_tool; or switch tools off, or let skills bring them.',
  }
  return accepted(order, warning, step)
}

/**
 * Keeps the first answer to a request, whichever process gave it, or takes up a step that has one. Changes nothing for a
 * request that was not made.
 */
export function decideAnswer(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'step.answer' | 'step.repeat'>,
): Decision {
  const { history, run } = command
  const made = requestMade(state.stepCalls, history, run)
  if (command.type === 'step.answer') {
    if (made === undefined || made.answer !== undefined) return UNCHANGED
    const { type: _, ...answer } = command
    return accepted(order, { type: 'step.answered', step: made.step ?? state.step, ...answer })
  }
  const { attempt } = attemptAfter(made)
  if (made?.answer === undefined || attempt === undefined) return UNCHANGED
  return accepted(order, { type: 'step.repeated', history, ...(run && { run }), attempt })
}

/** Returns the attempt that follows those at a request; nothing for a request that was not made before. */
function attemptAfter(made: ReturnType<typeof requestMade>) {
  if (made?.step === undefined) return {}
  return { attempt: { number: (made.attempts ?? 1) + 1, step: made.step } }
}
