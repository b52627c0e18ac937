import { isMeta } from '../../engine/model/source-event.ts'
import type { StepCost } from '../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { foundTools, hiddenTools } from '../../engine/standing/findable-tools.ts'
import { matchingPattern } from '../../engine/standing/permission.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { PromptSection } from '../../render/prompt/document/prompt-document.ts'
import { sectionHash, writePrompt, writeSection } from '../../render/prompt/forms/write-prompt.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import {
  type ExposurePlan,
  type ExposureRequest,
  wantedTools,
} from './exposure/exposure-strategy.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import { priceStep } from './exposure/price-step.ts'
import type { SessionParts } from './session-parts.ts'
import { type PromptRequest, workspaceDocument } from './workspace-document.ts'

/** Log what one request shows its model, and return what it carries. Rejects inside a hook. */
export async function beginStep(parts: SessionParts, request: StepRequest): Promise<WorkspaceStep> {
  const { dispatcher, exposure, store } = parts
  let planned: PlannedStep | undefined
  const outcome = await dispatcher.dispatch(
    async (state) => {
      planned = await planStep(state, parts, request)
      const { exposed, sections, cost } = planned
      return { type: 'step.begin', strategy: exposure.strategy.name, exposed, sections, cost }
    },
    { by: 'host' },
  )
  if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
  const { exposed: _, sections: __, predicted: ___, ...content } = planned as PlannedStep
  return { step: store.getState().state.step, seq: outcome.seq, ...content }
}

/** What a step is begun with. */
export interface StepRequest extends PromptRequest {
  /**
   * Tokens of the messages that the request carries beside the workspace's own sections, so that
   * the price of a change counts them. Fewer than in the step before mean that history was cut.
   */
  readonly messageTokens?: number
}

/** One section for the end of the conversation; `text` is empty when the section is gone. */
export interface StepSection {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** What one request to the model carries. */
export interface WorkspaceStep {
  readonly step: number
  /** The log entry that holds what was exposed. */
  readonly seq: number
  /** The whole system text; the same bytes as long as the session's profile is the same. */
  readonly instructions: string
  /** Conversation sections that changed since the last step, to be appended in this order. */
  readonly conversation: readonly StepSection[]
  /** The tools to send, in order, under the names they go by. */
  readonly tools: readonly Tool[]
  /** Names among them that the provider is to keep out of the prompt. */
  readonly deferred: ReadonlySet<string>
  /**
   * Names of deferred tools that the conversation has to refer to from this step on, as the
   * provider does it: they were found, or their skill was loaded. Each is told once.
   */
  readonly references: readonly string[]
  /** Also in the log. */
  readonly cost: StepCost
}

/** What `beginStep` would return now, with the change it would make to the request before. */
export interface StepPreview extends Omit<WorkspaceStep, 'step' | 'seq'> {
  readonly predicted: PredictedChange
}

/** Everything of a step that is settled before it is logged. */
interface PlannedStep {
  readonly tools: readonly Tool[]
  readonly deferred: ReadonlySet<string>
  readonly references: readonly string[]
  readonly exposed: readonly ExposedTool[]
  readonly instructions: string
  /** Every conversation section as it is now. */
  readonly sections: readonly { readonly id: string; readonly hash: ContentHash }[]
  /** What of them the model does not have, and what it has that is gone. */
  readonly conversation: readonly StepSection[]
  readonly cost: StepCost
  readonly predicted: PredictedChange
}

/** Work out one request to the model from the state: its tools, its text, and what they cost. */
export async function planStep(
  state: WorkspaceState,
  parts: SessionParts,
  { messageTokens = 0, ...request }: StepRequest,
): Promise<PlannedStep> {
  const { surroundings, counter } = parts
  const { strategy, provider } = parts.exposure
  const asked = exposureRequest(state, parts)
  const { tools, deferred } = await strategy.plan(asked)
  const exposed = exposedTools({ tools, deferred }, asked)
  const { format = 'markdown' } = request
  const document = workspaceDocument(state, parts, request)
  const placed = Map.groupBy(document.sections, ({ placement }) => placement)
  const now = (placed.get('conversation') ?? []).map((section) => ({
    section,
    id: section.id,
    hash: sectionHash(section, format),
  }))
  const had = new Map(state.sections.map(({ id, hash }) => [id, hash]))
  const changed = now.filter(({ id, hash }) => had.get(id) !== hash).map(({ section }) => section)
  const is = new Set(now.map(({ id }) => id))
  const gone = state.sections.filter(({ id }) => !is.has(id))
  const references = newReferences(exposed, state)
  const priced = priceStep(
    state,
    {
      tools,
      exposed,
      instructions: placed.get('instructions') ?? [],
      sections: changed,
      references: referencedTools(tools, references),
      messages: messageTokens,
      format,
    },
    { facts: provider, counter, tool: (hash) => surroundings.tool(hash) },
  )
  return {
    tools,
    deferred,
    references,
    exposed,
    instructions: writePrompt(document, { format, placement: 'instructions' }),
    sections: now.map(({ id, hash }) => ({ id, hash })),
    conversation: [
      ...changed.map((section) => stepSection(section, writeSection(section, format))),
      ...gone.map(({ id }) => ({ id, title: '', text: '' })),
    ],
    ...priced,
  }
}

function exposureRequest(state: WorkspaceState, { surroundings }: SessionParts): ExposureRequest {
  const { available, rows } = toolTable(state, surroundings)
  const patterns = surroundings.discovery?.pinned ?? []
  return {
    available,
    hidden: hiddenTools(state, surroundings),
    found: foundTools(state, surroundings),
    pinned: new Set(
      rows.flatMap(({ name, owner, claim }) =>
        isMeta(owner) || matchingPattern(patterns, claim) !== undefined ? name : [],
      ),
    ),
    previous: state.exposed,
    tool: (hash) => surroundings.tool(hash),
  }
}

/** What was referred to stays so: the conversation still holds it. */
function exposedTools(
  { tools, deferred }: ExposurePlan,
  asked: ExposureRequest,
): readonly ExposedTool[] {
  const wanted = new Set(wantedTools(asked).map(({ name }) => name))
  const referred = new Set(
    (asked.previous ?? []).flatMap(({ name, referenced }) => (referenced ? name : [])),
  )
  return tools.map(({ name, hash }): ExposedTool => {
    if (!deferred.has(name)) return { name, hash }
    const referenced = wanted.has(name) || referred.has(name)
    return { name, hash, deferred: true, ...(referenced && { referenced }) }
  })
}

function newReferences(exposed: readonly ExposedTool[], state: WorkspaceState): readonly string[] {
  const before = new Set(
    (state.exposed ?? []).flatMap(({ name, hash, referenced }) =>
      referenced ? `${name} ${hash}` : [],
    ),
  )
  return exposed.flatMap(({ name, hash, referenced }) =>
    referenced && !before.has(`${name} ${hash}`) ? name : [],
  )
}

function referencedTools(tools: readonly Tool[], references: readonly string[]): readonly Tool[] {
  const names = new Set(references)
  return tools.filter(({ name }) => names.has(name))
}

function stepSection({ id, title }: PromptSection, text: string): StepSection {
  return { id, title, text }
}
