import { goingBy } from '../../../engine/standing/going-by.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import type { ExposureRequest } from '../../log/ports.ts'

/**
 * The tools of the last step, each in its place, and after them those that are new.
 *
 * What left stays as it was sent: the gate refuses its calls, and the request is the same. A tool
 * whose definition changed is replaced where it stands, because a model must not call by a schema
 * that no longer holds: that costs the prefix from there on. A definition that nobody has any more
 * (its log lost it) leaves a gap, at the same cost.
 */
export function withLaterTools(
  { available, found, previous, tool }: ExposureRequest,
  later: readonly Tool[],
): readonly Tool[] {
  const callable = new Map([...found, ...available].map((one) => [one.name, one]))
  const kept = (previous ?? []).flatMap(({ name, hash }) => {
    const now = callable.get(name)
    if (now !== undefined) return now
    const sent = tool(hash)
    return sent === undefined ? [] : goingBy(sent, name)
  })
  const names = new Set(kept.map(({ name }) => name))
  return [...kept, ...later.filter(({ name }) => !names.has(name))]
}
