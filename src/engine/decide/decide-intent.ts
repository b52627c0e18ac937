import { accepted, type Decision, refused } from './decision.ts'
import type { IntentCommand, Order, Refusal } from '../model/command.ts'
import { type IntentState, isDue, type PendingIntent } from '../model/intent-event.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/**
 * Takes an intent, or settles it.
 *
 * Several orchestrators may try at once by design, so the ones that lose leave no entry. An intent
 * that is not due yet does leave one.
 */
export function decideIntent(
  state: WorkspaceState,
  order: Order,
  command: IntentCommand,
): Decision {
  const intent = state.intents.find(({ id }) => id === command.id)
  if (intent === undefined) return lost(command, 'intent-not-pending', GONE)
  if (!isDue(intent, state)) return refused(order, intent.type, notDue(intent))
  const { id, type, taken } = intent
  const about = { id, intent: type }
  if (command.type === 'intent.take' && taken !== null) {
    if (order.now < taken.until) return lost(command, 'intent-taken', TAKEN)
    const message = `The outcome of "${type}" of "${intent.tool}" was not reported in time.`
    const failed = { type: 'intent.failed' as const, ...about, code: 'interrupted' as const }
    const interrupted = lost(command, 'intent-interrupted', message)
    return { ...interrupted, drafts: [{ cause: order.cause, event: { ...failed, message } }] }
  }
  switch (command.type) {
    case 'intent.take': {
      const { taker, limitMs } = command
      return accepted(order, { type: 'intent.taken', ...about, taker, until: order.now + limitMs })
    }
    case 'intent.settle': {
      if (taken !== null && taken.by !== command.taker) {
        return lost(command, 'intent-taken', TAKEN)
      }
      const { failure } = command
      return failure === null
        ? accepted(order, { type: 'intent.applied', ...about })
        : accepted(order, { type: 'intent.failed', ...about, ...failure })
    }
  }
}

const GONE = 'The intent was already applied, or it is gone.'

const TAKEN = 'Another orchestrator is applying the intent.'

/** A refusal that leaves no entry. */
function lost(
  { id }: IntentCommand,
  code: string,
  message: string,
): Extract<Decision, { kind: 'refused' }> {
  const refusal: Refusal = { code, message, hint: 'There is nothing to do.', facts: { intent: id } }
  return { kind: 'refused', drafts: [], refusal }
}

function notDue({ id, type, when }: PendingIntent): Refusal {
  return {
    code: 'intent-not-due',
    message: `The intent "${type}" is for ${when === 'after-turn' ? 'after the turn' : 'the next turn'}.`,
    hint: 'Call endTurn or beginTurn first.',
    facts: { intent: id, when },
  }
}

/** Intents that may wait at once. Without an orchestrator they would pile up. */
const MOST_WAITING = 100

/** Returns the failures of the oldest waiting intents, when too many new ones come. */
export function queueFullEvents(
  { intents }: Pick<IntentState, 'intents'>,
  coming: number,
): readonly WorkspaceEvent[] {
  const surplus = intents.length + coming - MOST_WAITING
  if (coming === 0 || surplus <= 0) return []
  return intents.slice(0, surplus).map(({ id, type, tool }) => ({
    type: 'intent.failed' as const,
    id,
    intent: type,
    code: 'queue-full' as const,
    message: `"${type}" of "${tool}" was not applied, and ${MOST_WAITING} newer intents are waiting.`,
  }))
}
