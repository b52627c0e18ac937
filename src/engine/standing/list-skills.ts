import { type Catalog, toolNamesOf } from '../../catalog/create/catalog.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import {
  activeSkills,
  assessSkill,
  isPermitted,
  openSkill,
  type SkillStatus,
} from './assess-skill.ts'
import { unreadSkills } from './unread-skills.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Agent } from '../../skills/definition/define-agent.ts'
import type { Skill } from '../../skills/definition/skill.ts'

/** One skill in a list. */
export interface SkillListing {
  readonly name: string
  /** Absent for an active skill that has left the catalog, and for one that could not be loaded. */
  readonly skill: Skill | undefined
  readonly status: SkillStatus
  /** The file of a skill that could not be loaded, and the errors in its folder, whose name it is listed by. */
  readonly unread?: { readonly path: string; readonly errors: readonly Diagnostic[] }
}

/**
 * Returns all skills of a session, including shadowed ones, in the catalog's order, then those that could not be loaded.
 *
 * A skill that nothing affects keeps the same listing object from state to state, so a view can
 * memoise by it.
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
  const { entries, free, planned, places } = freeSkills(context)
  const listed: (SkillListing | null)[] = free.slice()
  const relist = (place: number) => {
    const entry = entries[place]
    if (entry !== undefined) listed[place] = listingOf(entry[0], entry[1])
  }
  planned.forEach(relist)
  for (const name of touched) relist(places.get(name) ?? -1)
  return [
    ...listed.filter((one) => one !== null),
    ...shadowedSkills.map((skill) => ({ name: skill.name, skill, status: 'shadowed' as const })),
    ...active.filter((name) => !skills.has(name)).map((name) => listingOf(name, undefined)),
    ...unreadSkills(context.catalog),
  ]
}

/**
 * Returns the names of the tools that a skill brings: of an active one those it registered, of any other those
 * it would register, also through toolsets and the skills that it extends.
 */
export function skillToolNames(
  { name, skill, status, unread }: SkillListing,
  state: WorkspaceState,
  catalog: Catalog,
): readonly string[] {
  if (unread !== undefined) return []
  if (status === 'shadowed') return skill === undefined ? [] : toolNamesOf(skill, catalog)
  const open = openSkill(state, name)
  if (open !== null) {
    const brought = state.open.filter(({ bringer }) => bringer === name)
    return [open, ...brought].flatMap(({ claims }) => claims.map((claim) => claim.name))
  }
  return catalog.skillTools.get(name)?.map(({ tool }) => tool.name) ?? []
}

interface FreeSkills {
  readonly entries: readonly (readonly [string, Skill])[]
  /** One for each entry; null for those that need an activation plan. */
  readonly free: readonly (SkillListing | null)[]
  /** The places of those that need one. */
  readonly planned: readonly number[]
  readonly places: ReadonlyMap<string, number>
}

const freeMemo = new WeakMap<Catalog, WeakMap<Agent | typeof NO_AGENT, FreeSkills>>()

/** The key for sessions without an agent. */
const NO_AGENT = {}

/**
 * Listings of skills that are inactive without planning their activation, unless they or skills
 * that conflict with them are active: the agent may activate them, and they have no requirements,
 * no conflicts and no missing programs. Most skills are like that. Planning thousands of skills would make up most of
 * the cost of a listing.
 */
function freeSkills({ catalog, agent }: EngineContext): FreeSkills {
  const ofCatalog = freeMemo.get(catalog) ?? new WeakMap<Agent | typeof NO_AGENT, FreeSkills>()
  freeMemo.set(catalog, ofCatalog)
  const known = ofCatalog.get(agent ?? NO_AGENT)
  if (known !== undefined) return known
  const entries = [...catalog.skills]
  const free = entries.map(([name, skill]): SkillListing | null => {
    const { requires, conflicts, missingPrograms } = skill
    const isFree =
      requires.length === 0 &&
      conflicts.length === 0 &&
      missingPrograms === undefined &&
      isPermitted(agent, name)
    return isFree ? { name, skill, status: 'inactive' } : null
  })
  const made = {
    entries,
    free,
    planned: [...free.keys()].filter((place) => free[place] === null),
    places: new Map(entries.map(([name], place) => [name, place])),
  }
  ofCatalog.set(agent ?? NO_AGENT, made)
  return made
}
