import { accepted, type Decision, refused } from './decision.ts'
import type { IntentCommand, Order, Refusal } from '../model/command.ts'
import { type IntentState, isDue, type PendingIntent } from '../model/intent-event.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/**
 * Take an intent, or settle it. Several orchestrators try at once by design, so that losing leaves
 * no entry; what leaves one is a moment that has not come.
 */
export function decideIntent(
  state: WorkspaceState,
  order: Order,
  command: IntentCommand,
): Decision {
  const intent = state.intents.find(({ id }) => id === command.id)
  if (intent === undefined) return lost(command, 'intent-not-pending', 'It is applied, or gone.')
  if (!isDue(intent, state)) return refused(order, intent.type, notDue(intent))
  const { id, type, taken } = intent
  const about = { id, intent: type }
  if (command.type === 'intent.take' && taken !== null) {
    if (order.now < taken.until) return lost(command, 'intent-taken', 'Another one applies it.')
    const message = `Nobody said within its time what came of the "${type}" of "${intent.tool}".`
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
        return lost(command, 'intent-taken', 'Another one applies it.')
      }
      const { failure } = command
      return failure === null
        ? accepted(order, { type: 'intent.applied', ...about })
        : accepted(order, { type: 'intent.failed', ...about, ...failure })
    }
  }
}

function lost(
  { id }: IntentCommand,
  code: string,
  message: string,
): Extract<Decision, { kind: 'refused' }> {
  const refusal: Refusal = { code, message, hint: 'Nothing is to be done.', facts: { intent: id } }
  return { kind: 'refused', drafts: [], refusal }
}

function notDue({ id, type, when }: PendingIntent): Refusal {
  return {
    code: 'intent-not-due',
    message: `The intent "${type}" is for ${when === 'after-turn' ? 'after the turn' : 'the next turn'}.`,
    hint: 'Say endTurn or beginTurn first.',
    facts: { intent: id, when },
  }
}

/** Intents that may wait. Whoever applies them leaves none; without an orchestrator they would pile up. */
const MOST_WAITING = 100

/** The oldest waiting intents, given up because so many more come. */
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
    message: `Nobody applied the "${type}" of "${tool}", and ${MOST_WAITING} newer ones wait.`,
  }))
}
