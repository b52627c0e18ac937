import type { Catalog } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { activeSkills, assessSkill, isPermitted, type SkillStatus } from './assess-skill.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'

/** One skill of a listing. */
export interface SkillListing {
  readonly name: string
  /** Absent for an active skill that is gone from the catalog. */
  readonly skill: Skill | undefined
  readonly status: SkillStatus
}

/**
 * Every skill a session knows of, shadowed ones too, in the catalog's order.
 *
 * The listing of a skill that nothing stands in the way of is the same object from state to state:
 * a view can keep what it made of it.
 */
export function listSkills(
  state: WorkspaceState,
  context: EngineContext,
  pending: readonly string[] = [],
): readonly SkillListing[] {
  const { skills, shadowedSkills } = context.catalog
  const active = activeSkills(state)
  const listingOf = (name: string, skill: Skill | undefined): SkillListing => ({
    name,
    skill,
    status: assessSkill(state, context, name, pending).status,
  })
  const touched = new Set([...pending, ...active])
  for (const name of active) {
    for (const conflict of skills.get(name)?.conflicts ?? []) touched.add(conflict)
  }
  const { entries, free } = freeSkills(context)
  return [
    ...entries.map(([name, skill], place) =>
      touched.has(name) ? listingOf(name, skill) : (free[place] ?? listingOf(name, skill)),
    ),
    ...shadowedSkills.map((skill) => ({ name: skill.name, skill, status: 'shadowed' as const })),
    ...active.filter((name) => !skills.has(name)).map((name) => listingOf(name, undefined)),
  ]
}

interface FreeSkills {
  readonly entries: readonly (readonly [string, Skill])[]
  /** One for each entry, null for those that need a plan to tell. */
  readonly free: readonly (SkillListing | null)[]
}

const memo = new WeakMap<Catalog, WeakMap<Agent | typeof NOBODY, FreeSkills>>()

/** Stands for a session without an agent. */
const NOBODY = {}

/**
 * The listings of skills that are inactive without a plan of their activation, as long as they and
 * their conflicts are not touched: the agent may load them, they need nobody and name no conflict.
 * Most skills are like that, and a plan for each of thousands is what a listing would cost.
 */
function freeSkills({ catalog, agent }: EngineContext): FreeSkills {
  const ofCatalog = memo.get(catalog) ?? new WeakMap<Agent | typeof NOBODY, FreeSkills>()
  memo.set(catalog, ofCatalog)
  const known = ofCatalog.get(agent ?? NOBODY)
  if (known !== undefined) return known
  const entries = [...catalog.skills]
  const free = entries.map(([name, skill]): SkillListing | null => {
    const { requires, conflicts } = skill
    const isFree = requires.length === 0 && conflicts.length === 0 && isPermitted(agent, name)
    return isFree ? { name, skill, status: 'inactive' } : null
  })
  const made = { entries, free }
  ofCatalog.set(agent ?? NOBODY, made)
  return made
}
