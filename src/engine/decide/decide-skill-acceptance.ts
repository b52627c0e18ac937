import type { Command, Order } from '../command.ts'
import { accepted, refused, type Decision } from './decision.ts'
import { hasChanged } from '../has-changed.ts'
import { placeClaims } from './place-claims.ts'
import { toolNameTaken } from './refusals.ts'
import { openSkill } from '../skill-standing.ts'
import type { WorkspaceState } from '../state.ts'
import type { Surroundings } from '../surroundings.ts'

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
  if (!open || !skill || !hasChanged(open, catalog)) {
    return refused(order, name, {
      code: open ? (skill ? 'skill-unchanged' : 'skill-unknown') : 'skill-not-active',
      message: open
        ? skill
          ? `The skill "${name}" is what the session activated.`
          : `The skill "${name}" is gone from the catalog.`
        : `The skill "${name}" is not active.`,
      hint: open && !skill ? 'Put it away.' : 'There is nothing to accept.',
      facts: { skill: name },
    })
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
