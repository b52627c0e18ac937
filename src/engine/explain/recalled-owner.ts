import { describeCause, describeEvent } from './describe-event.ts'
import type { Verdict } from './verdict.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'

/**
 * Explains a name that nothing has now, and that the session had: of an owner that has left, such as a skill that no
 * given path defines, or of a tool that its owner has unregistered. Null for any other name.
 */
export function recalledOwner(
  name: string,
  { open, closed }: WorkspaceState,
  { catalog, handlers }: EngineContext,
): Pick<Verdict, 'source' | 'owner' | 'because' | 'fix'> | null {
  const left = closed.findLast(({ owner }) => owner === name)
  const keeper = open.find(({ givenUp }) => givenUp?.includes(name))
  const again =
    handlers === 'recorded'
      ? 'It is registered by another program: no given path defines it.'
      : 'Register it again.'
  if (left?.source === 'skill' && catalog.skills.has(name)) return null
  if (left !== undefined) {
    const { source, owner, seq, cause } = left
    const happened = `${describeCause(cause)}: ${describeEvent({ type: 'source.closed', source, owner, names: null })}.`
    const text = happened.charAt(0).toUpperCase() + happened.slice(1)
    const path = `Also give the path of the skill "${owner}": the log refers to it, but no given path defines it.`
    return { source, owner, because: [{ seq, text }], fix: source === 'skill' ? path : again }
  }
  if (keeper === undefined) return null
  const { source, owner, since: seq } = keeper
  const text = `"${owner}" had it, and has unregistered it.`
  return { source, owner, because: [{ seq, text }], fix: again }
}
