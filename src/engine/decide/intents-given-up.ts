import type { WorkspaceEvent } from '../model/event.ts'
import type { IntentState } from '../model/intent-state.ts'

/** Intents that may wait. Whoever applies them leaves none; without an orchestrator they would pile up. */
const MOST_WAITING = 100

/** The oldest waiting intents, given up because so many more come. */
export function intentsGivenUp(
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
