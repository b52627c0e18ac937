import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { VariableScope } from '../../kernel/substitute-variables.ts'
import { planStep, type PlannedStep } from './plan-step.ts'
import type { SessionParts } from './session-parts.ts'
import type { StepRequest } from './step-request.ts'
import type { WorkspaceStep } from './workspace-step.ts'

/** Log what one request shows its model, and return what it carries. Rejects inside a hook. */
export async function beginStep(
  parts: SessionParts,
  variables: VariableScope | undefined,
  request: StepRequest,
): Promise<WorkspaceStep> {
  const { dispatcher, exposure, store } = parts
  let planned: PlannedStep | undefined
  const outcome = await dispatcher.dispatch(
    async (state) => {
      planned = await planStep(state, parts, variables, request)
      const { exposed, sections, cost } = planned
      return { type: 'step.begin', strategy: exposure.strategy.name, exposed, sections, cost }
    },
    { by: 'host' },
  )
  if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
  const { exposed: _, sections: __, predicted: ___, ...content } = planned as PlannedStep
  return { step: store.getState().state.step, seq: outcome.seq, ...content }
}
