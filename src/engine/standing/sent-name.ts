import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { toolTable } from './tool-table.ts'
import {
  hasNameHash,
  providerName,
  sessionName,
} from '../../tools/provider-schema/provider-name.ts'
import type { Provider } from '../../tools/provider-schema/provider-schema.ts'

/**
 * Returns the name under which the model reads and calls a tool: that of the session, unless the provider
 * does not accept it. `owner/name` is never sent, and stays an address for the arguments of meta-tools.
 */
export function sentName(name: string, namesFor: Provider | undefined): string {
  return namesFor === undefined || name.includes('/') ? name : providerName(name, namesFor)
}

/**
 * Returns the name in the session of a tool that a model called. The form of a name at a provider comes
 * first, so that no tool takes a call of another by having that form as its own name. An adapter may send
 * the names of a provider that the host did not name, so the forms at all providers count.
 */
export function calledName(called: string, state: WorkspaceState, context: EngineContext): string {
  return hasNameHash(called) ? sessionName(called, namesIn(state, context)) : called
}

/** All names that a model may call, also those of tools that have left: a refusal says why. */
function* namesIn(state: WorkspaceState, context: EngineContext): Generator<string> {
  const { catalog } = context
  for (const { name } of state.exposed ?? []) yield name
  yield* toolTable(state, context).byName.keys()
  yield* catalog.bringers.keys()
  yield* catalog.sharedTools.keys()
}
