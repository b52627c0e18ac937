import { pickVersion } from '../../tools/definition/tool-reference.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The shared tools that no skill or toolset has claimed, one version of each name. */
export function globalTools(
  shared: ReadonlyMap<string, readonly Tool[]>,
  isClaimed: (tool: Tool) => boolean,
): readonly Tool[] {
  const free = [...shared].flatMap(([name, versions]) => {
    const unclaimed = versions.filter((tool) => !isClaimed(tool))
    return unclaimed.length > 1 ? (pickVersion({ name, range: '*' }, unclaimed) ?? []) : unclaimed
  })
  return Object.freeze(free)
}
