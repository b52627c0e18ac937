import type { Tool } from '../../tools/definition/tool.ts'
import { findableTools } from './findable-tools.ts'
import { standingFacts } from './standing-facts.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

const memo = new WeakMap<Surroundings, { facts: readonly unknown[]; tools: readonly Tool[] }>()
const NONE: readonly Tool[] = Object.freeze([])

/**
 * The tools that were found, not evicted, and can be called now or by a call that loads their skill,
 * in the order of finding. One that changed since, or that something forbids meanwhile, is not here.
 */
export function foundTools(state: WorkspaceState, surroundings: Surroundings): readonly Tool[] {
  if (state.found.length === 0) return NONE
  const { found } = state
  const facts = [found, ...standingFacts(state)]
  const known = memo.get(surroundings)
  if (known?.facts.every((fact, index) => fact === facts[index])) return known.tools
  const hashes = new Map(found.map(({ name, hash }) => [name, hash]))
  const findable = findableTools(state, surroundings, [...hashes.keys()])
  const tools = Object.freeze(
    findable.flatMap(({ found: { name, hash }, tool, callable }) =>
      (callable === 'now' || callable === 'on-call') && hashes.get(name) === hash ? [tool] : [],
    ),
  )
  memo.set(surroundings, { facts, tools })
  return tools
}
