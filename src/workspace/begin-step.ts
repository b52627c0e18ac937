import type { ContentHash } from '../kernel/content-hash.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { VariableScope } from '../kernel/variables.ts'
import type { WorkspaceState } from '../engine/state.ts'
import { toolTable } from '../engine/tool-table.ts'
import { sectionHash } from '../render/prompt/section-hash.ts'
import { writePrompt, writeSection } from '../render/prompt/write-prompt.ts'
import type { Tool } from '../registry/tool.ts'
import type { PromptRequest } from './prompt-request.ts'
import type { SessionParts } from './session-parts.ts'
import { workspaceDocument } from './workspace-document.ts'
import type { StepSection, WorkspaceStep } from './workspace-step.ts'

/** Everything of a step that is settled before it is logged. */
interface PlannedStep {
  readonly tools: readonly Tool[]
  readonly instructions: string
  readonly sections: readonly (StepSection & { readonly hash: ContentHash })[]
  readonly before: WorkspaceState
}

/** Log what one request shows its model, and return what it carries. Rejects inside a hook. */
export async function beginStep(
  parts: SessionParts,
  variables: VariableScope | undefined,
  request: PromptRequest,
): Promise<WorkspaceStep> {
  const { dispatcher, exposure, store } = parts
  let planned: PlannedStep | undefined
  const outcome = await dispatcher.dispatch(
    async (state) => {
      planned = await planStep(state, parts, variables, request)
      return {
        type: 'step.begin',
        strategy: exposure.name,
        exposed: planned.tools.map(({ name, hash }) => ({ name, hash })),
        sections: planned.sections.map(({ id, hash }) => ({ id, hash })),
      }
    },
    { by: 'host' },
  )
  if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
  const { tools, instructions, sections, before } = planned as PlannedStep
  const { step } = store.getState().state
  return { step, seq: outcome.seq, instructions, tools, conversation: changes(before, sections) }
}

async function planStep(
  state: WorkspaceState,
  { surroundings, counter, exposure }: SessionParts,
  variables: VariableScope | undefined,
  request: PromptRequest,
): Promise<PlannedStep> {
  const { available } = toolTable(state, surroundings)
  const { tools } = await exposure.plan({
    available,
    hidden: new Set(),
    found: [],
    previous: state.exposed,
    tool: (hash) => surroundings.tool(hash),
  })
  const document = workspaceDocument(state, surroundings, counter, variables, request)
  const { format = 'markdown' } = request
  const sections = document.sections
    .filter(({ placement }) => placement === 'conversation')
    .map((section) => {
      const text = writeSection(section, format)
      return { id: section.id, title: section.title, text, hash: sectionHash(section, format) }
    })
  const instructions = writePrompt(document, { format, placement: 'instructions' })
  return { tools, instructions, sections, before: state }
}

/** The sections that are not as the model has them, and those it has that are gone. */
function changes(
  { sections: sent }: WorkspaceState,
  sections: PlannedStep['sections'],
): readonly StepSection[] {
  const had = new Map(sent.map(({ id, hash }) => [id, hash]))
  const now = new Set(sections.map(({ id }) => id))
  const gone = sent.filter(({ id }) => !now.has(id))
  return [
    ...sections
      .filter(({ id, hash }) => had.get(id) !== hash)
      .map(({ id, title, text }) => ({ id, title, text })),
    ...gone.map(({ id }) => ({ id, title: '', text: '' })),
  ]
}
