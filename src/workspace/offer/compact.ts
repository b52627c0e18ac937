import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import type { Compaction, PlannedCompaction } from './compaction.ts'
import { planCompaction } from './plan-compaction.ts'
import type { PromptRequest } from './prompt-request.ts'
import type { SessionParts } from './session-parts.ts'

/** Log that the history was summarised, and return what is to be put in again. */
export async function compact(
  parts: SessionParts,
  variables: VariableScope | undefined,
  request: PromptRequest,
): Promise<Compaction> {
  let planned: PlannedCompaction | undefined
  const outcome = await parts.dispatcher.dispatch(
    (state) => {
      planned = planCompaction(state, parts, variables, request)
      const { sent: sections, data, tokens } = planned
      return { type: 'session.compact', sections, rules: data.rules, tokens }
    },
    { by: 'host' },
  )
  if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
  const { sections, text, data } = planned as PlannedCompaction
  return { seq: outcome.seq, sections, text, data }
}
