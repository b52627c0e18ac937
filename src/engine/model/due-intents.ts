import type { IntentState, PendingIntent } from './intent-state.ts'

/** The intents whose moment has come, in the order they were returned; taken ones among them. */
export function dueIntents(
  state: Pick<IntentState, 'intents' | 'endedTurn'> & { readonly turn: number },
): readonly PendingIntent[] {
  return state.intents.filter((intent) => isDue(intent, state))
}

/** A turn that nobody said had ended is over when the next one begins. */
export function isDue(
  { when, turn: returned }: Pick<PendingIntent, 'when' | 'turn'>,
  { turn, endedTurn }: Pick<IntentState, 'endedTurn'> & { readonly turn: number },
): boolean {
  switch (when) {
    case 'now':
      return true
    case 'after-turn':
      return turn > returned || endedTurn >= returned
    case 'next-turn':
      return turn > returned
  }
}
