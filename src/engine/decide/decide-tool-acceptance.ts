import { accepted, type Decision, refused, toolNameTaken, toolUnknown } from './decision.ts'
import type { Command, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { openSkill, skillHasChanged } from '../standing/assess-skill.ts'
import { assess, type Assessment } from '../standing/assess.ts'
import { placeClaims } from '../standing/place-claims.ts'
import { toolIdentity, violatedPin } from '../standing/remembered-approval.ts'

type AcceptTool = Extract<Command, { type: 'tool.accept' }>

/** Take a tool that is in quarantine as it is now. What was approved of it is asked about anew. */
export function decideToolAcceptance(
  state: WorkspaceState,
  order: Order,
  { tool: address, hash: seen }: AcceptTool,
  context: EngineContext,
): Decision {
  const standing = assess(state, context, address)
  if (standing.kind !== 'registered') return refused(order, address, notRegistered(standing))
  const { claim, owner } = standing.row
  const { name, hash } = claim
  if (violatedPin(standing.row, state) === undefined) {
    const isSkill = owner.source === 'skill' && skillHasChanged(owner, context.catalog)
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
  return accepted(order, { type: 'tool.accepted', ...toolIdentity(standing.row), hash })
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

type AcceptSkill = Extract<Command, { type: 'skill.accept' }>

/** Take an active skill's definition as the catalog has it now. */
export function decideSkillAcceptance(
  state: WorkspaceState,
  order: Order,
  { skill: name }: AcceptSkill,
  { catalog, agent }: EngineContext,
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
  if (!skillHasChanged(open, catalog)) {
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
