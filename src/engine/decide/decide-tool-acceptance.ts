import { accepted, type Decision, refused, toolNameTaken, toolUnknown } from './decision.ts'
import { acceptHint } from '../explain/explain-skill.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { openSkill, skillHasChanged } from '../standing/assess-skill.ts'
import { assess, type Assessment } from '../standing/assess.ts'
import { isOfSkill, placeClaims, skillTrust } from '../standing/place-claims.ts'
import { toolIdentity, violatedPin } from '../standing/remembered-approval.ts'

/** Accepts the current definition of a tool in quarantine. Approvals of earlier ones end. */
export function decideToolAcceptance(
  state: WorkspaceState,
  order: Order,
  { tool: address, hash: seen }: CommandOf<'tool.accept'>,
  context: EngineContext,
): Decision {
  const assessment = assess(state, context, address)
  if (assessment.kind !== 'registered') return refused(order, address, notRegistered(assessment))
  const { row } = assessment
  const { owner } = row
  const { name, hash } = row.claim
  if (violatedPin(row, state) === undefined) {
    const isSkill = owner.source === 'skill' && skillHasChanged(owner, context.catalog)
    return refused(order, name, {
      code: isSkill ? 'skill-changed' : 'tool-unchanged',
      message: isSkill
        ? `The skill "${owner.owner}" of the tool "${name}" changed, so the skill has to be accepted.`
        : `The tool "${name}" is not in quarantine.`,
      hint: isSkill ? acceptHint(owner.owner) : 'There is nothing to accept.',
      facts: { tool: name, owner: owner.owner },
    })
  }
  if (seen !== undefined && seen !== hash) {
    return refused(order, name, {
      code: 'changed',
      message: `The tool "${name}" changed again after the given definition.`,
      hint: 'Review the new difference with explain, then accept that definition.',
      facts: { tool: name, seen, hash },
    })
  }
  return accepted(order, { type: 'tool.accepted', ...toolIdentity(row), hash })
}

function notRegistered(assessment: Exclude<Assessment, { kind: 'registered' }>): Refusal {
  const { name } = assessment
  if (assessment.kind === 'unknown') return toolUnknown(name, assessment.nearest)
  if (assessment.kind === 'gone') return toolGone(assessment)
  if (assessment.kind === 'left-out') {
    const { source, owner, reason } = assessment
    return {
      code: 'left-out',
      message: `The tool "${name}" of the ${source} "${owner}" is left out: ${reason}`,
      hint: 'There is nothing to accept.',
      facts: { tool: name, owner },
    }
  }
  return {
    code: assessment.status,
    message: `No tool named "${name}" is registered now.`,
    hint: 'Activate a skill that brings it, then review the difference.',
    facts: { tool: name, skills: assessment.bringers },
  }
}

function toolGone({ name, source, owner }: Extract<Assessment, { kind: 'gone' }>): Refusal {
  return {
    code: 'gone',
    message: `The ${source} "${owner}" no longer has a tool named "${name}".`,
    hint: 'There is nothing to accept.',
    facts: { tool: name, owner },
  }
}

/** Accepts the catalog's current definition of an active skill. */
export function decideSkillAcceptance(
  state: WorkspaceState,
  order: Order,
  { skill: name }: CommandOf<'skill.accept'>,
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
    const message = `The skill "${name}" is no longer in the catalog.`
    const hint = 'Deactivate it.'
    return refused(order, name, { ...nothing, code: 'skill-unknown', message, hint })
  }
  if (!skillHasChanged(open, catalog)) {
    const message = `The skill "${name}" has not changed since the session activated it.`
    return refused(order, name, { code: 'skill-unchanged', message, ...nothing })
  }
  const tools = catalog.skillTools.get(name)?.filter(isOfSkill) ?? []
  const { onConflict, hash: definition } = skill
  const terms = { onConflict, replace: true, trusted: skillTrust(state, name) }
  const request = { source: 'skill' as const, owner: name, tools, ...terms }
  const placed = placeClaims(request, state.open, agent)
  if (!placed.ok) return refused(order, name, toolNameTaken(name, placed))
  const { claims } = placed
  return accepted(order, { type: 'source.accepted', owner: name, definition, claims })
}
