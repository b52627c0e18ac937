import { covers } from './covers.ts'
import type { AllowedTool } from './allowed-tool.ts'
import type { Surroundings } from '../model/surroundings.ts'
import type { WorkspaceState } from '../model/state.ts'

/** The entries of an `allowed-tools` that name no tool there is, registered or in the catalog. */
export function unmatchedAllowedTools(
  tools: readonly AllowedTool[],
  { open }: Pick<WorkspaceState, 'open'>,
  { catalog }: Pick<Surroundings, 'catalog'>,
): readonly AllowedTool[] {
  const named = [...catalog.bringers.keys(), ...catalog.sharedTools.keys()]
  const known = [
    ...open.flatMap(({ claims }) => claims),
    ...named.map((name) => ({ name, definedAs: name })),
  ]
  return tools.filter(({ pattern }) => !known.some((one) => covers([pattern], one) !== undefined))
}
