import type { WorkspaceState } from '../../engine/model/state.ts'
import type { Surroundings } from '../../engine/model/surroundings.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The name a call is about: the one that was given, or the one a tool value goes by. */
export function nameOfTool(
  given: string | Pick<Tool, 'name' | 'hash'>,
  state: WorkspaceState,
  surroundings: Surroundings,
): string {
  if (typeof given === 'string') return given
  return isToolValue(given) ? nameOfToolValue(given, state, surroundings) : `(${typeof given})`
}

/** Plain JavaScript passes on what a model said. */
function isToolValue(given: unknown): boolean {
  return (
    typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string'
  )
}

/**
 * The name a tool value goes by in a session: its owner may have moved it out of another's way. One
 * that is not registered is never taken for another tool that has its name, or was found by it.
 */
function nameOfToolValue(
  { name, hash }: Pick<Tool, 'name' | 'hash'>,
  state: WorkspaceState,
  surroundings: Surroundings,
): string {
  const { rows, byName } = toolTable(state, surroundings)
  const held = rows.find(({ claim }) => claim.hash === hash)
  const isOthers =
    byName.has(name) || state.found.some((one) => one.name === name && one.hash !== hash)
  if (held || !isOthers) return held?.name ?? name
  const { skillTools, bringers } = surroundings.catalog
  const bringer = bringers
    .get(name)
    ?.find((skill) => skillTools.get(skill)?.some(({ tool }) => tool.hash === hash))
  return `${bringer ?? 'unregistered'}/${name}`
}
