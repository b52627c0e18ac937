import type { Entry, EventOf } from '../../engine/model/workspace-event.ts'
import { type CallFate, fateText } from '../../tools/response/call-fate.ts'
import { argumentsOf, type ModelCall } from '../calls/call-answers.ts'
import { refusedType } from '../calls/call-failure.ts'
import { type CalledTools, findConfirmation } from '../calls/find-confirmation.ts'

/** The members of a workspace that know the fate of a call. */
export interface CallHistory extends CalledTools {
  entries(): Promise<readonly Entry[]>
}

/** The text in the place of the result of a call that has none. */
export type MissingResult = ReturnType<typeof fateText>

/** The results of calls that have none in a history: a provider refuses a call without one. */
export class CallFates {
  readonly #workspace: CallHistory
  /** The fates of calls that are over, so that the log is read once. */
  readonly #known = new Map<string, CallFate>()

  constructor(workspace: CallHistory) {
    this.#workspace = workspace
  }

  /** Returns what stands for the results of calls, by the id of each. */
  async missing(calls: readonly ModelCall[]): Promise<ReadonlyMap<string, MissingResult>> {
    const texts = new Map<string, MissingResult>()
    let entries: readonly Entry[] | undefined
    for (const call of calls) {
      const key = JSON.stringify([call.id, call.tool, call.input])
      let fate = fateInState(this.#workspace, call) ?? this.#known.get(key)
      if (fate === undefined) {
        entries ??= await this.#workspace.entries()
        fate = fateInLog(entries, call)
        this.#known.set(key, fate)
      }
      texts.set(call.id, fateText(fate))
    }
    return texts
  }
}

/** Returns the fate of a call that is open, or was made a short time ago; undefined for every other one. */
function fateInState(
  workspace: CallHistory,
  { id, tool, input, isPassedOver }: ModelCall,
): CallFate | undefined {
  const { waiting, stepCalls } = workspace.state
  const made = stepCalls.calls.findLast(({ given }) => given === id)
  if (waiting.some(({ call }) => call === (made?.call ?? id))) {
    return { kind: isPassedOver ? 'unanswered' : 'client' }
  }
  const asked = findConfirmation(workspace, tool, argumentsOf(input))
  switch (asked?.consent) {
    case 'pending':
      return { kind: 'waits' }
    case 'approved':
      return { kind: 'approved' }
    case 'denied':
      return { kind: 'denied', tool: asked.tool, ...(asked.words && { words: asked.words }) }
    case undefined:
      return made?.status === 'running' || made?.status === 'detached'
        ? { kind: 'running' }
        : undefined
  }
}

/** Returns the fate of a call that is over, as the log has it: of the latest call with its id. */
function fateInLog(entries: readonly Entry[], { id }: ModelCall): CallFate {
  let fate: CallFate = { kind: 'lost' }
  let started: string | undefined
  let isForClient = false
  let isHarmless = false
  let asked: EventOf<'confirmation.asked'> | undefined
  for (const { cause, event } of entries) {
    const isIts = cause.by === 'model' && cause.call === id
    switch (event.type) {
      case 'call.started':
        if (event.within !== undefined || (event.given ?? event.call) !== id) break
        started = event.call
        isForClient = false
        isHarmless = event.category !== 'action'
        fate = { kind: 'lost' }
        break
      case 'call.ended':
        if (event.call !== started) break
        fate = { kind: event.error !== 'ABORTED' ? 'ended' : isForClient ? 'unanswered' : 'lost' }
        break
      case 'call.detached':
        isForClient ||= event.call === started && event.client === true
        break
      case 'confirmation.asked':
        if (!isIts) break
        asked = event
        fate = { kind: 'expired' }
        break
      case 'confirmation.denied':
        if (event.id !== asked?.id || fate.kind !== 'expired') break
        fate = { kind: 'denied', tool: asked.tool, ...(event.words && { words: event.words }) }
        break
      case 'command.refused': {
        if (!isIts || event.command !== 'call.start') break
        const { code, message } = event
        const isAsked = code === 'confirmation-required'
        fate = isAsked
          ? { kind: 'expired' }
          : { kind: 'refused', error: refusedType(code), message }
        break
      }
      default:
    }
  }
  return isHarmless && (fate.kind === 'ended' || fate.kind === 'lost') ? { kind: 'harmless' } : fate
}
