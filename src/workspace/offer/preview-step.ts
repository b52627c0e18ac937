import { evolve } from '../../engine/evolve/evolve.ts'
import { type PricedChange, requestTokens } from '../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { ToolListing } from '../../engine/standing/list-tools.ts'
import { exposureFor } from './begin-step.ts'
import { type PlannedStep, planStep } from './plan-step.ts'
import { STEP_OPTIONS, type StepRequest, type WorkspaceStep } from './workspace-step.ts'
import { checkOptions, type OptionsOf } from '../../kernel/check-options.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { type ExposureName, EXPOSURES } from './exposure/exposure-strategy.ts'
import { type ChosenExposure, chooseStrategy, currentExposure } from './exposure/plan-exposure.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import { PROVIDER_FACTS, type ProviderName } from './exposure/provider-facts.ts'
import type { SessionParts } from './session-parts.ts'
import { settledState } from './settle-conditions.ts'

/** The step that `beginStep` would return now, with its change to the request before. */
export interface StepPreview extends Omit<WorkspaceStep, 'step' | 'seq'> {
  readonly predicted: PredictedChange
  /** The document of its texts. */
  readonly document: PromptDocument
  /** The tools that the step would record as exposed. */
  readonly exposed: readonly ExposedTool[]
  /** Names of the available tools that are left out until a search finds them. */
  readonly hidden: ReadonlySet<string>
}

/** A step to preview, and optionally the preview of the request before it, which was not sent. */
export interface PreviewRequest extends StepRequest {
  /**
   * Compares the step with this one, as if it had been sent: in place of the last step, if that began since. With
   * the last step when absent.
   */
  readonly after?: StepPreview
  /** The provider to preview the step for; that of the session when absent. */
  readonly provider?: ProviderName
  /**
   * The strategy to preview it with; that of the session when absent. One that the provider or the session cannot
   * use is not used: the preview says with which strategy it was made.
   */
  readonly strategy?: ExposureName
}

const OPTIONS: OptionsOf<PreviewRequest> = {
  ...STEP_OPTIONS,
  after: 'object',
  provider: Object.keys(PROVIDER_FACTS),
  strategy: Object.keys(EXPOSURES),
}

/** A plan, and the last step before it. */
interface Preview {
  readonly planned: PlannedStep
  readonly step: number
}

/** The plans of previews, for comparisons with them. */
const previews = new WeakMap<StepPreview, Preview>()

/** Plans the next step and writes nothing. Without `carries` and `model`, it is sent as the last one was. */
export async function previewStep(
  parts: SessionParts,
  given: PreviewRequest,
): Promise<StepPreview> {
  checkOptions(given, OPTIONS)
  const { after, provider, strategy, ...request } = given
  await parts.parent?.known.read()
  const state = await settledState(parts.store.getState().state, parts)
  const sent = after && previews.get(after)
  const before = sent ? withSent(state, sent) : state
  const isChosen = request.carries !== undefined || request.model !== undefined
  const own = isChosen
    ? exposureFor(parts.exposure, request)
    : currentExposure(before, parts.exposure)
  const planned = await planStep(before, parts, request, exposureAs(own, provider, strategy))
  const { content, predicted, document, hidden, logged } = planned
  const preview = { ...content, predicted, document, exposed: logged.exposed, hidden }
  previews.set(preview, { planned, step: state.step })
  return preview
}

/** Returns an exposure for another provider, or with another strategy, where that can be used. */
function exposureAs(
  own: ChosenExposure,
  provider: ProviderName | undefined,
  strategy: ExposureName | undefined,
): ChosenExposure {
  if (provider === undefined && strategy === undefined) return own
  const { basis } = own
  const isOther = provider !== undefined && provider !== own.provider.name
  const facts = isOther ? PROVIDER_FACTS[provider] : own.provider
  const isUseless =
    (strategy === 'bridge' && !basis.outlook.bridge) || (strategy === 'deferred' && !facts.defers)
  const given = strategy === undefined || isUseless ? own.strategy : EXPOSURES[strategy]
  const why = 'Chosen for this preview.'
  return chooseStrategy({ ...basis, given, why }, { ...basis.outlook, provider: facts })
}

/** Returns a state as it would be if a planned step had been sent, in place of the last step if that began since. */
function withSent(state: WorkspaceState, { planned, step }: Preview): WorkspaceState {
  const { cost, exposure } = planned.content
  const { strategy } = exposure
  if (state.step > step) {
    const { exposed, sections } = planned.logged
    // A summary since then sent its sections again.
    return { ...state, strategy, cost, exposed, ...(state.compacted === null && { sections }) }
  }
  return evolve(state, {
    seq: state.seq,
    at: 0,
    cause: { by: 'host' },
    event: { type: 'step.begun', step: state.step + 1, strategy, cost, ...planned.logged },
  })
}

/** The way of a tool to the model in a step: its request has the tool, a search has to find it first, or neither. */
export type ToolReach = 'sent' | 'by search' | 'not sent'

/** Returns the function that says how each tool of a session reaches the model in a previewed step. */
export function toolReach({
  exposed,
  hidden,
}: StepPreview): (listing: Pick<ToolListing, 'name' | 'tool'>) => ToolReach {
  const carried = new Map<string, ExposedTool>(
    exposed.flatMap((one) => (one.removed ? [] : [[`${one.name} ${one.hash}`, one]])),
  )
  return ({ name, tool }) => {
    const one = carried.get(`${name} ${tool?.hash}`)
    if (one !== undefined && (!one.deferred || one.referenced)) return 'sent'
    return one !== undefined || hidden.has(name) ? 'by search' : 'not sent'
  }
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
  const { previous, kept, changed } = sent.cost
  return {
    before: requestTokens(before.cost),
    after: requestTokens(now.cost),
    tools: { before: before.cost.tokens.tools, after: now.cost.tokens.tools },
    kept: { previous, kept, changed },
  }
}
