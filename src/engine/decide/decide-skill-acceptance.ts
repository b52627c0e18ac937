import type { Command, Order } from '../model/command.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { hasChanged } from '../standing/has-changed.ts'
import { placeClaims } from '../standing/place-claims.ts'
import { toolNameTaken } from './refusals.ts'
import { openSkill } from '../standing/skill-standing.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

type Accept = Extract<Command, { type: 'skill.accept' }>

/** Take an active skill's definition as the catalog has it now. */
export function decideSkillAcceptance(
  state: WorkspaceState,
  order: Order,
  { skill: name }: Accept,
  { catalog, agent }: Surroundings,
): Decision {
  const open = openSkill(state, name)
  const skill = catalog.skills.get(name)
  const nothing = { hint: 'There is nothing to accept.', facts: { skill: name } }
  if (open === null) {
    const message = `The skill "${name}" is not active.`
    return refused(order, name, { code: 'skill-not-active', message, ...nothing })
  }
  if (skill === undefined) {
    const message = `The skill "${name}" is gone from the catalog.`
    return refused(order, name, {
      ...nothing,
      code: 'skill-unknown',
      message,
      hint: 'Put it away.',
    })
  }
  if (!hasChanged(open, catalog)) {
    const message = `The skill "${name}" is what the session activated.`
    return refused(order, name, { code: 'skill-unchanged', message, ...nothing })
  }
  const placed = placeClaims(
    {
      source: 'skill',
      owner: name,
      tools: catalog.skillTools.get(name) ?? [],
      onConflict: skill.onConflict,
      replace: true,
    },
    state.open,
    agent,
  )
  if (!placed.ok) return refused(order, name, toolNameTaken(name, placed))
  return accepted(order, {
    type: 'source.accepted',
    owner: name,
    definition: skill.hash,
    claims: placed.claims,
  })
}
