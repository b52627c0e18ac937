import type { Tool } from '../../../tools/definition/tool.ts'
import type { ExposureRequest } from '../../log/ports.ts'

/**
 * What the model should be able to call by name in this step: what is available and not hidden,
 * in table order, then what was found beyond that, in the order of finding. One tool a name.
 */
export function wantedTools({
  available,
  hidden,
  found,
}: Pick<ExposureRequest, 'available' | 'hidden' | 'found'>): readonly Tool[] {
  const foundNames = new Set(found.map(({ name }) => name))
  const wanted = new Map(
    available
      .filter(({ name }) => !hidden.has(name) || foundNames.has(name))
      .map((tool) => [tool.name, tool]),
  )
  for (const tool of found) {
    if (!wanted.has(tool.name)) wanted.set(tool.name, tool)
  }
  return [...wanted.values()]
}
