import { isObject } from '../../kernel/json-value.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import { isMeta } from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess } from '../../engine/standing/assess.ts'
import type { CallRequest } from './call-request.ts'

/**
 * A call as it is judged: one of `call_tool` is a call of the tool it names, with the arguments it
 * gives, under the id it came with. So there is one call, one entry and one envelope, and whatever
 * policy, budget or confirmation says of that tool holds.
 *
 * A call that `call_tool` itself has to answer (it is not offered, names itself, or is not shaped
 * as its schema says) stays what it is.
 */
export function bridgedCall(
  request: CallRequest,
  state: WorkspaceState,
  surroundings: EngineContext,
): CallRequest {
  if (!isBridge(request.tool, state, surroundings)) return request
  const target = bridgedTarget(request.input)
  if (target === null || isBridge(target.tool, state, surroundings)) return request
  return { ...request, ...target }
}

function isBridge(address: string, state: WorkspaceState, surroundings: EngineContext): boolean {
  if (!address.endsWith('call_tool')) return false
  const standing = assess(state, surroundings, address)
  return (
    standing.kind === 'registered' &&
    standing.status === 'available' &&
    isMeta(standing.row.owner) &&
    standing.row.claim.name === 'call_tool'
  )
}

/** The tool a call of `call_tool` is about, and what it is called with. */
interface BridgedTarget {
  readonly tool: string
  readonly input: object
}

/**
 * Read the arguments of `call_tool`; null for those that are not shaped as its schema says. Arguments
 * given as JSON text are read, and null is none, since models do that.
 */
export function bridgedTarget(input: unknown): BridgedTarget | null {
  if (typeof input !== 'object' || input === null) return null
  const { name, arguments: given, ...others } = input as Readonly<Record<string, unknown>>
  if (typeof name !== 'string' || name === '' || Object.keys(others).length > 0) return null
  const parsed = typeof given === 'string' ? parsedObject(given) : (given ?? {})
  if (!isObject(parsed)) return null
  return { tool: name, input: parsed }
}

function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
