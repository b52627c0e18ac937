import { assess, type Assessment } from '../standing/assess.ts'
import { brokenPin } from '../standing/broken-pin.ts'
import type { Command, Order } from '../model/command.ts'
import { hasChanged } from '../standing/has-changed.ts'
import { ownedToolOf } from '../standing/owned-tool-of.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'
import { accepted, refused, type Decision, type Refusal } from './decision.ts'
import { toolUnknown } from './refusals.ts'

type Accept = Extract<Command, { type: 'tool.accept' }>

/** Take a tool that is in quarantine as it is now. What was approved of it is asked about anew. */
export function decideToolAcceptance(
  state: WorkspaceState,
  order: Order,
  { tool: address, hash: seen }: Accept,
  around: Surroundings,
): Decision {
  const standing = assess(state, around, address)
  if (standing.kind !== 'registered') return refused(order, address, notRegistered(standing))
  const { claim, owner } = standing.row
  const { name, hash } = claim
  if (brokenPin(standing.row, state) === undefined) {
    const isSkill = owner.source === 'skill' && hasChanged(owner, around.catalog)
    return refused(order, name, {
      code: isSkill ? 'skill-changed' : 'tool-unchanged',
      message: isSkill
        ? `It is the skill "${owner.owner}" that changed, with "${name}" or another of its tools.`
        : `The definition of "${name}" is one that may be called.`,
      hint: isSkill
        ? `Accept the skill: acceptSkill("${owner.owner}").`
        : 'There is nothing to accept.',
      facts: { tool: name, owner: owner.owner },
    })
  }
  if (seen !== undefined && seen !== hash) {
    return refused(order, name, {
      code: 'changed',
      message: `The tool "${name}" has changed again since it was looked at.`,
      hint: 'Look at the difference that explain gives, and accept that.',
      facts: { tool: name, seen, hash },
    })
  }
  return accepted(order, { type: 'tool.accepted', ...ownedToolOf(standing.row), hash })
}

function notRegistered(standing: Exclude<Assessment, { kind: 'registered' }>): Refusal {
  const { name } = standing
  if (standing.kind === 'unknown') return toolUnknown(name, standing.nearest)
  return {
    code: standing.status,
    message: `Nobody has "${name}" registered now.`,
    hint: 'Activate a skill that brings it, and look at the difference then.',
    facts: { tool: name, skills: standing.bringers },
  }
}
