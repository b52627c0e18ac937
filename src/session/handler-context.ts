import { canonicalJson } from '../kernel/canonical-json.ts'
import type { JsonValue } from '../kernel/json.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { Cause } from '../engine/cause.ts'
import type { WorkspaceState } from '../engine/state.ts'
import type { ToolContext } from '../registry/tool-context.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'

interface HandlerSetting {
  readonly call: ToolContext['call']
  /** The component the tool belongs to, if any. */
  readonly component: string | null
  readonly cause: Cause
}

/** What a handler gets, but for the signal: `runHandler` makes that. */
export function handlerContext(
  { store, services, principal, dispatcher, onProgress }: CallPipelineParts,
  { call, component, cause }: HandlerSetting,
): Omit<ToolContext, 'signal'> {
  return {
    services,
    principal,
    call,
    get state() {
      return component === null ? undefined : componentState(store.getState().state, component)
    },
    async update(next) {
      if (component === null) throw noComponent(call.tool)
      const outcome = await dispatcher.dispatch((state) => {
        const before = componentState(state, component) ?? null
        return { type: 'component.update', component, state: plain(next(before)) }
      }, cause)
      if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
      return componentState(store.getState().state, component) ?? null
    },
    progress({ message, fraction }) {
      onProgress({
        call: call.id,
        tool: call.tool,
        ...(message !== undefined && { message }),
        ...(fraction !== undefined && { fraction }),
      })
    },
  }
}

function componentState(state: WorkspaceState, component: string): JsonValue | undefined {
  return state.components.find(({ key }) => key === component)?.state
}

/** A copy nobody else holds, with nothing JSON would lose: what replay will find. */
function plain(state: JsonValue): JsonValue {
  return JSON.parse(canonicalJson(state)) as JsonValue
}

function noComponent(tool: string): WorkspaceError {
  return new WorkspaceError('NO_COMPONENT', `"${tool}" does not belong to a component.`, {
    hint: 'Only tools of a component have a state to update.',
    facts: { tool },
  })
}
