import { ErrorType } from './error-type.ts'
import { shorten } from '../../kernel/thrown-message.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'

/**
 * The fate of a call that did not run, or not as the model made it.
 *
 * `waits`: for a person. `approved`: it has not run since. `expired`: nobody answered in time. `client`: the client answers
 * it. `unanswered`: the client did not, and the user went on. `stopped`: its answer was. `edited`: it ran with the arguments of a person. `running`: it has not ended. `ended`: its
 * result is not in the conversation. `harmless`: it changes nothing. `lost`: nobody knows.
 * `withdrawn`: its result had the instructions of a skill that is unloaded.
 */
export type CallFate =
  | {
      readonly kind:
        | 'waits'
        | 'approved'
        | 'expired'
        | 'client'
        | 'running'
        | 'unanswered'
        | 'harmless'
        | 'ended'
        | 'lost'
        | 'recorded'
        | 'withdrawn'
    }
  | { readonly kind: 'denied'; readonly tool: string; readonly words?: string }
  | { readonly kind: 'stopped'; readonly by: string }
  | { readonly kind: 'edited'; readonly input: unknown }
  | { readonly kind: 'refused'; readonly error: ErrorType; readonly message: string }

/** Returns the sentences that a model reads about the fate of a call: the same on all wires. */
export function fateSentence(fate: CallFate): string {
  switch (fate.kind) {
    case 'waits':
      return 'This call waits for the approval of a person, and has not run. Its result comes after the answer: do not repeat it.'
    case 'approved':
      return 'A person approved this call, and it has not run yet. Its result follows: do not repeat it.'
    case 'expired':
      return 'Nobody approved this call in time, so it was not made. Make it again if it is still needed.'
    case 'client':
      return 'The client of the user answers this call, and has not answered yet. Do not repeat it.'
    case 'unanswered':
      return 'The user went on before the client had answered this call, so it has no result.'
    case 'running':
      return 'This call is still running. Do not repeat it.'
    case 'ended':
      return 'This call ran, but its result is not in this conversation. Find out what it did before you repeat it.'
    case 'lost':
      return 'The run ended before this call had a result. Find out what it did before you repeat it.'
    case 'recorded':
      return 'This call ran in an earlier attempt at this turn, and was not made again. This is its result:'
    case 'withdrawn':
      return 'The skill was unloaded, and its instructions were withdrawn from here. Load it again if they are needed.'
    case 'harmless':
      return 'The result of this call is not in this conversation. The call changes nothing: make it again if it is still needed.'
    case 'denied': {
      const { tool, words } = fate
      return words === undefined
        ? `This call of "${tool}" was denied.`
        : `A person denied this call of "${tool}": ${shorten(sanitiseLine(words))}`
    }
    case 'stopped':
      return `The answer was stopped (${sanitiseLine(shorten(fate.by))}), so none of its calls was made.`
    case 'edited':
      return `A person approved this call with other arguments, which count instead of yours: ${shorten(JSON.stringify(fate.input))}`
    case 'refused':
      return fate.message
  }
}

/**
 * Returns the text that stands for the result of a call that has none: a provider refuses a history with a call without
 * a result. The same fate has the same text, so that requests keep their bytes.
 */
export function fateText(fate: CallFate): { readonly text: string; readonly isError: boolean } {
  const message = fateSentence(fate)
  switch (fate.kind) {
    case 'waits':
    case 'approved':
    case 'client':
    case 'running':
      return { text: JSON.stringify({ status: 'waiting', message }), isError: false }
    case 'withdrawn':
      return { text: JSON.stringify({ message }), isError: false }
    case 'ended':
    case 'lost': {
      const error = { error: ErrorType.ABORTED, message, partialSideEffects: true }
      return { text: JSON.stringify(error), isError: true }
    }
    case 'expired':
    case 'unanswered':
    case 'harmless':
    case 'stopped':
    case 'edited':
    case 'recorded':
      return { text: JSON.stringify({ error: ErrorType.ABORTED, message }), isError: true }
    case 'denied':
      return { text: JSON.stringify({ error: ErrorType.DENIED, message }), isError: true }
    case 'refused':
      return { text: JSON.stringify({ error: fate.error, message }), isError: true }
  }
}
