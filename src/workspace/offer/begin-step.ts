import { checkOptions, type OptionTable } from '../../kernel/check-options.ts'
import type { StepCost } from '../../engine/model/step-cost.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { foundTools, hiddenTools, isSentFromStart } from '../../engine/standing/findable-tools.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { PromptSection } from '../../render/prompt/document/prompt-document.ts'
import { sectionHash, writePrompt, writeSection } from '../../render/prompt/forms/write-prompt.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import {
  type ExposurePlan,
  type ExposureRequest,
  wantedTools,
} from './exposure/exposure-strategy.ts'
import { type PredictedChange, priceStep } from './exposure/price-step.ts'
import type { SessionParts } from './session-parts.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'
import {
  PROMPT_OPTIONS,
  promptChoices,
  type PromptRequest,
  workspaceDocument,
} from './workspace-document.ts'

/** Logs what one request shows the model, and returns what it carries. Rejects inside a hook. */
export async function beginStep(parts: SessionParts, request: StepRequest): Promise<WorkspaceStep> {
  const { dispatcher, exposure, store } = parts
  let planned: PlannedStep | undefined
  const outcome = await dispatcher.dispatch(
    async (state) => {
      planned = await planStep(state, parts, request)
      const { exposed, sections, cost } = planned
      const prompt = promptChoices(request)
      const strategy = exposure.strategy.name
      return {
        type: 'step.begin',
        strategy,
        exposed,
        sections,
        cost,
        ...(Object.keys(prompt).length > 0 && { prompt }),
      }
    },
    { by: 'host' },
  )
  outcome.orThrow()
  const { exposed: _, sections: __, predicted: ___, ...content } = planned as PlannedStep
  return { step: store.getState().state.step, seq: outcome.seq, ...content }
}

/** Options of a step. */
export interface StepRequest extends PromptRequest {
  /**
   * Tokens of the messages that the request carries in addition to the workspace's own sections, so that
   * the price of a change includes them. Fewer than in the step before mean that history was cut.
   */
  readonly messageTokens?: number
}

const STEP_OPTIONS: OptionTable = { ...PROMPT_OPTIONS, messageTokens: true }

/** One section for the end of the conversation; `text` is empty when the section was removed. */
export interface StepSection {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** The content of one request to the model. */
export interface WorkspaceStep {
  readonly step: number
  /** The log entry that records what was exposed. */
  readonly seq: number
  /** The complete system text; the same bytes as long as the session's profile is the same. */
  readonly instructions: string
  /** Conversation sections that changed since the last step. Append them in this order. */
  readonly conversation: readonly StepSection[]
  /** The tools to send, in order, under their names in this session. */
  readonly tools: readonly Tool[]
  /** Names of the tools that the provider must keep out of the prompt. */
  readonly deferred: ReadonlySet<string>
  /**
   * Names of deferred tools that the conversation must refer to from this step on, in the provider's way:
   * they were found, or their skill was activated. Each is listed once.
   */
  readonly references: readonly string[]
  /** Also in the log. */
  readonly cost: StepCost
}

/** The step that `beginStep` would return now, with its change to the request before. */
export interface StepPreview extends Omit<WorkspaceStep, 'step' | 'seq'> {
  readonly predicted: PredictedChange
}

/** Plans the next step and writes nothing. */
export async function previewStep(parts: SessionParts, request: StepRequest): Promise<StepPreview> {
  const planned = await planStep(parts.store.getState().state, parts, request)
  const { exposed: _, sections: __, ...preview } = planned
  return preview
}

/** A step before it is logged. */
interface PlannedStep {
  readonly tools: readonly Tool[]
  readonly deferred: ReadonlySet<string>
  readonly references: readonly string[]
  readonly exposed: readonly ExposedTool[]
  readonly instructions: string
  /** Every current conversation section. */
  readonly sections: readonly { readonly id: string; readonly hash: ContentHash }[]
  /** The sections that the model does not have yet, and those it has that were removed. */
  readonly conversation: readonly StepSection[]
  readonly cost: StepCost
  readonly predicted: PredictedChange
}

/** Plans one request to the model from the state: its tools, its text, and their cost. */
async function planStep(
  state: WorkspaceState,
  parts: SessionParts,
  given: StepRequest,
): Promise<PlannedStep> {
  checkOptions(given, STEP_OPTIONS)
  const { messageTokens = 0, ...request } = given
  const { context, counter } = parts
  const { strategy, provider } = parts.exposure
  const toExpose = exposureRequest(state, parts)
  const { tools, deferred } = await withTimeLimit(
    `The exposure strategy "${strategy.name}"`,
    parts.limits.timeoutMs,
    () => strategy.plan(toExpose),
    parts.closing.signal,
  )
  const exposed = exposedTools({ tools, deferred }, toExpose)
  const { format = 'markdown' } = request
  const document = workspaceDocument(state, parts, request)
  const placed = Map.groupBy(document.sections, ({ placement }) => placement)
  const now = (placed.get('conversation') ?? []).map((section) => ({
    section,
    id: section.id,
    hash: sectionHash(section, format),
  }))
  const sent = new Map(state.sections.map(({ id, hash }) => [id, hash]))
  const changed = now.filter(({ id, hash }) => sent.get(id) !== hash).map(({ section }) => section)
  const current = new Set(now.map(({ id }) => id))
  const removed = state.sections.filter(({ id }) => !current.has(id))
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
    { facts: provider, counter, tool: (hash) => context.tool(hash), namesFor: context.namesFor },
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
      ...removed.map(({ id }) => ({ id, title: '', text: '' })),
    ],
    ...priced,
  }
}

function exposureRequest(state: WorkspaceState, { context }: SessionParts): ExposureRequest {
  const { available, rows } = toolTable(state, context)
  return {
    available,
    hidden: hiddenTools(state, context),
    found: foundTools(state, context),
    pinned: new Set(rows.flatMap((row) => (isSentFromStart(row, context) ? row.name : []))),
    previous: state.exposed,
    tool: (hash) => context.tool(hash),
  }
}

/** Returns the tools to log as exposed. A tool that was referred to stays so: the conversation still does. */
function exposedTools(
  { tools, deferred }: ExposurePlan,
  request: ExposureRequest,
): readonly ExposedTool[] {
  const wanted = new Set(wantedTools(request).map(({ name }) => name))
  const referred = new Set(
    (request.previous ?? []).flatMap(({ name, referenced }) => (referenced ? name : [])),
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
