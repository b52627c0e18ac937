import { covers } from '../../engine/standing/covers.ts'
import type { ExposedTool } from '../../engine/model/event.ts'
import { foundTools } from '../../engine/standing/found-tools.ts'
import { hiddenTools } from '../../engine/standing/hidden-tools.ts'
import { isMeta } from '../../engine/model/meta-owner.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { StepCost } from '../../engine/model/step-cost.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { PromptSection } from '../../render/prompt/document/prompt-document.ts'
import { sectionHash } from '../../render/prompt/forms/section-hash.ts'
import { writePrompt, writeSection } from '../../render/prompt/forms/write-prompt.ts'
import type { PredictedChange } from './exposure/predict-change.ts'
import { stepCostOf } from './exposure/step-cost-of.ts'
import { wantedTools } from './exposure/wanted-tools.ts'
import type { ExposurePlan, ExposureRequest } from '../log/ports.ts'
import type { SessionParts } from './session-parts.ts'
import type { StepRequest } from './step-request.ts'
import { listedFor } from './listed-for.ts'
import { workspaceDocument } from './workspace-document.ts'
import type { StepSection } from './workspace-step.ts'

/** Everything of a step that is settled before it is logged. */
export interface PlannedStep {
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
  variables: VariableScope | undefined,
  { messageTokens = 0, ...request }: StepRequest,
): Promise<PlannedStep> {
  const { surroundings, counter } = parts
  const { strategy, provider } = parts.exposure
  const asked = exposureRequest(state, parts)
  const { tools, deferred } = await strategy.plan(asked)
  const exposed = exposedTools({ tools, deferred }, asked)
  const { format = 'markdown' } = request
  const document = workspaceDocument(
    state,
    surroundings,
    counter,
    variables,
    listedFor(strategy, request),
  )
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
  const priced = stepCostOf(
    state,
    {
      tools,
      exposed,
      instructions: placed.get('instructions') ?? [],
      sections: changed,
      references: referred(tools, references),
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
        isMeta(owner) || covers(patterns, claim) !== undefined ? name : [],
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

function referred(tools: readonly Tool[], references: readonly string[]): readonly Tool[] {
  const names = new Set(references)
  return tools.filter(({ name }) => names.has(name))
}

function stepSection({ id, title }: PromptSection, text: string): StepSection {
  return { id, title, text }
}
