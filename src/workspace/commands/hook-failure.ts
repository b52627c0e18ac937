import type { Order } from '../../engine/model/command.ts'
import type { Decision, Refusal } from '../../engine/decide/decision.ts'
import type { Draft } from '../../engine/model/event.ts'
import type { FailedHooks } from './run-hooks.ts'

type Plan = Pick<Extract<Decision, { kind: 'planned' }>, 'wanted'>

/** The entry that a plan leaves whose hook failed. */
export function hookFailure(
  { cause, command }: Order,
  { wanted }: Plan,
  { failed: { skill, hook }, message, undone, undoFailed }: FailedHooks,
): Draft {
  if (command.type === 'skill.resume') {
    return { cause, event: { type: 'skill.broken', skill, message } }
  }
  return {
    cause,
    event: { type: 'activation.failed', skill, hook, wanted, message, undone, undoFailed },
  }
}

/** Why its command was not carried out. */
export function hookFailed(
  { wanted }: Plan,
  { failed: { skill, hook }, message, undone, undoFailed }: FailedHooks,
): Refusal {
  return {
    code: 'hook-failed',
    message: `${hook} of "${skill}" failed: ${message}`,
    hint: 'Nothing changed. Mend the hook, or what it depends on, and try again.',
    facts: { skill, hook, wanted, undone, undoFailed },
  }
}
