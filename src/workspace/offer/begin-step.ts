import type { SessionJournal } from '../commands/session-journal.ts'
import { checkOptions } from '../../kernel/check-options.ts'
import type { OpenCall } from '../../engine/model/call-event.ts'
import { ErrorType } from '../../tools/response/error-type.ts'
import {
  type HistoryMessage,
  type HistoryResult,
  requestKey,
} from './conversation/history-message.ts'
import { type ChosenExposure, chooseStrategy } from './exposure/plan-exposure.ts'
import { factsOfModel, isKnownProvider } from './exposure/provider-facts.ts'
import type { SessionParts } from './session-parts.ts'
import { settleConditions } from './settle-conditions.ts'
import { promptChoices } from './workspace-document.ts'
import { type PlannedStep, planStep } from './plan-step.ts'
import { STEP_OPTIONS, type StepRequest, type WorkspaceStep } from './workspace-step.ts'

/** Logs what one request shows the model, and returns what it carries. Rejects inside a hook. */
export async function beginStep(parts: SessionParts, request: StepRequest): Promise<WorkspaceStep> {
  checkOptions(request, STEP_OPTIONS)
  const { dispatcher, store } = parts
  await parts.servers.announced()
  if (request.history) await recordClientAnswers(request.history, parts)
  await settleConditions(parts)
  let planned: PlannedStep | undefined
  const outcome = await dispatcher.dispatch(
    async (state) => {
      planned = await planStep(state, parts, request, exposureFor(parts.exposure, request))
      const { exposure, cost } = planned.content
      const { history = [], run } = request
      const { conversation } = planned.logged
      const prompt = promptChoices(request, parts)
      return {
        type: 'step.begin',
        strategy: exposure.strategy,
        cost,
        ...planned.logged,
        ...(conversation &&
          run?.step !== undefined && {
            conversation: { ...conversation, history: requestKey(history, run) },
          }),
        ...(Object.keys(prompt).length > 0 && { prompt }),
        ...(request.activeTools && { activeTools: request.activeTools }),
        ...(request.run && { run: request.run }),
      }
    },
    { by: 'host' },
  )
  outcome.orThrow()
  const { content, chosen } = planned as PlannedStep
  parts.exposure = chosen
  parts.history = store.getState().state.conversation.history
  return { step: store.getState().state.step, seq: outcome.seq, ...content }
}

/**
 * Returns the strategy for an adapter and a model: that of the session, if they can do it. A host that says
 * nothing sends what every request can carry, unless it chose the strategy itself.
 */
export function exposureFor(
  { basis }: ChosenExposure,
  { carries, model }: Pick<StepRequest, 'carries' | 'model'>,
): ChosenExposure {
  const { given, outlook } = basis
  const known = outlook.provider
  const provider =
    model !== undefined && isKnownProvider(known) ? factsOfModel(known.name, model) : known
  const carried = carries ?? (given === 'auto' ? [] : undefined)
  return chooseStrategy(basis, { ...outlook, provider, ...(carried && { carries: carried }) })
}

/**
 * Records the ends of calls that waited for the client: a result of one in the host's history is the answer of the
 * client. A call that the user passed over, by a later message without an answer, is aborted.
 */
async function recordClientAnswers(
  history: readonly HistoryMessage[],
  { store, dispatcher, clock }: SessionJournal,
): Promise<void> {
  for (const { call, tool, startedAt } of store.getState().state.waiting) {
    const end = endIn(history, call)
    if (end === null) continue
    const durationMs = Math.max(0, clock.now() - startedAt)
    const command = { type: 'call.end', call, tool, ...end, durationMs, intents: [] } as const
    await dispatcher.dispatch(command, { by: 'user' })
  }
}

/** Returns the end of a call in a history; null while it still waits, or is not in the history. */
function endIn(history: readonly HistoryMessage[], id: OpenCall['call']) {
  const made = history.findLastIndex(({ calls }) => calls?.includes(id))
  if (made === -1) return null
  const later = history.slice(made + 1)
  const isIts = ({ call, outcome }: HistoryResult) => call === id && outcome !== 'lost'
  const result = later.flatMap(({ results = [] }) => results).find(isIts)
  if (result?.outcome === 'failed') return { ok: false, error: ErrorType.PERMANENT }
  if (result !== undefined) return { ok: true, error: null }
  return later.some(({ role }) => role === 'user') ? { ok: false, error: ErrorType.ABORTED } : null
}
