import type { Cause } from '../../engine/model/cause.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import type { JsonValue } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { NestedCallOptions, ToolContext } from '../../tools/definition/tool-context.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { nameOfTool } from './name-of-tool.ts'
import type { RunParts } from './run-parts.ts'

interface HandlerSetting {
  readonly call: ToolContext['call']
  /** The component the tool belongs to, if any. */
  readonly component: string | null
  readonly cause: Cause
  /** The call's id, after those of the calls it is within. */
  readonly chain: readonly string[]
  /** Aborted when the call has its answer: a handler that runs on changes and reports nothing more. */
  readonly over: AbortSignal
}

/** What a handler gets, but for the signal: `runHandler` makes that. */
export function handlerContext(
  { store, surroundings, services, principal, dispatcher, onProgress, ...parts }: RunParts,
  { call, component, cause, chain, over }: HandlerSetting,
): Omit<ToolContext, 'signal'> {
  const update: ToolContext['update'] = async (next) => {
    if (component === null) throw noComponent(call.tool)
    if (over.aborted) throw callOver(call.tool)
    const outcome = await dispatcher.dispatch((state) => {
      const before = componentState(state, component) ?? null
      return { type: 'component.update', component, state: next(before) }
    }, cause)
    if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
    return componentState(store.getState().state, component) ?? null
  }
  const callTool = (
    tool: string | Pick<Tool, 'name' | 'hash'>,
    input: unknown,
    { signal, onOutput, background }: NestedCallOptions = {},
  ) =>
    parts.call({
      tool: nameOfTool(tool, store.getState().state, surroundings),
      input,
      caller: 'tool',
      within: { chain, isOver: () => over.aborted },
      signal: signal ? AbortSignal.any([over, signal]) : over,
      ...(onOutput && { onOutput }),
      ...(background !== undefined && { background }),
    })
  return {
    services,
    principal,
    call,
    get state() {
      return component === null ? undefined : componentState(store.getState().state, component)
    },
    // A handler that does not wait for it must not bring the process down when it fails.
    update(next) {
      const updated = update(next)
      updated.catch(() => undefined)
      return updated
    },
    progress({ message, fraction }) {
      if (over.aborted) return
      onProgress({
        call: call.id,
        tool: call.tool,
        ...(message !== undefined && { message }),
        ...(fraction !== undefined && { fraction }),
      })
    },
    // Which answer goes with which arguments, only the signatures know.
    callTool: callTool as ToolContext['callTool'],
  }
}

function componentState(state: WorkspaceState, component: string): JsonValue | undefined {
  return state.components.find(({ key }) => key === component)?.state
}

function noComponent(tool: string): WorkspaceError {
  return new WorkspaceError('NO_COMPONENT', `"${tool}" does not belong to a component.`, {
    hint: 'Only tools of a component have a state to update.',
    facts: { tool },
  })
}

function callOver(tool: string): WorkspaceError {
  return new WorkspaceError('CALL_OVER', `The call of "${tool}" has its answer already.`, {
    hint: 'Heed context.signal, and update the state before the handler returns.',
    facts: { tool },
  })
}
