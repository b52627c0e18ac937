import { evolve } from '../../engine/evolve/evolve.ts'
import { type PricedChange, requestTokens } from '../../engine/model/step-cost.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import {
  exposureFor,
  type PlannedStep,
  planStep,
  type StepRequest,
  type WorkspaceStep,
} from './begin-step.ts'
import { currentExposure } from './exposure/plan-exposure.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import type { SessionParts } from './session-parts.ts'

/** The step that `beginStep` would return now, with its change to the request before. */
export interface StepPreview extends Omit<WorkspaceStep, 'step' | 'seq'> {
  readonly predicted: PredictedChange
}

/** A step to preview, and optionally the preview of the request before it, which was not sent. */
export interface PreviewRequest extends StepRequest {
  /** Compares the step with this one, as if it had been sent. With the last step that began when absent. */
  readonly after?: StepPreview
}

/** The plans of previews, for comparisons with them. */
const previews = new WeakMap<StepPreview, PlannedStep>()

/** Plans the next step and writes nothing. Without `carries` and `model`, it is sent as the last one was. */
export async function previewStep(
  parts: SessionParts,
  { after, ...request }: PreviewRequest,
): Promise<StepPreview> {
  const { state } = parts.store.getState()
  const sent = after && previews.get(after)
  const before = sent ? withSent(state, sent) : state
  const isChosen = request.carries !== undefined || request.model !== undefined
  const chosen = isChosen
    ? exposureFor(parts.exposure, request)
    : currentExposure(before, parts.exposure)
  const planned = await planStep(before, parts, request, chosen)
  const preview = { ...planned.content, predicted: planned.predicted }
  previews.set(preview, planned)
  return preview
}

/** Returns a state as it would be if a planned step had been sent. */
function withSent(state: WorkspaceState, { content, logged }: PlannedStep): WorkspaceState {
  const { cost, exposure } = content
  return evolve(state, {
    seq: state.seq,
    at: 0,
    cause: { by: 'host' },
    event: {
      type: 'step.begun',
      step: state.step + 1,
      strategy: exposure.strategy,
      cost,
      ...logged,
    },
  })
}

/** A session whose next request can be previewed. */
interface PricedSession {
  readonly state: WorkspaceState
  previewStep(request?: PreviewRequest): Promise<StepPreview>
}

/**
 * Previews the next request for somebody else than the host, with the options of the last one: its form, its
 * tools, and the tokens of the host's messages so far.
 */
export function nextRequest(
  session: PricedSession,
  request: PreviewRequest = {},
): Promise<StepPreview> {
  const { prompt, cost, activeTools } = session.state
  return session.previewStep({
    ...prompt,
    messageTokens: cost?.messages ?? 0,
    ...(activeTools && { activeTools: activeTools.names }),
    ...request,
  })
}

/**
 * Prices a change: the next request before it, and the one after it. What is kept is that of the request before
 * the change, as if it had been sent.
 */
export async function priceChange(
  before: StepPreview,
  after: PricedSession,
): Promise<PricedChange> {
  const [now, sent] = await Promise.all([nextRequest(after), nextRequest(after, { after: before })])
  const { previous, kept } = sent.cost
  return {
    before: requestTokens(before.cost),
    after: requestTokens(now.cost),
    kept: { previous, kept },
  }
}
