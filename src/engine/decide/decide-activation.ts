import { findSkill } from '../../skills/find-skill.ts'
import { lifetimeSchema } from '../../skills/definition/lifetime-schema.ts'
import { planActivation } from '../../skills/activation/plan-activation.ts'
import type { Lifetime } from '../../skills/definition/skill.ts'
import type { Cause } from '../model/cause.ts'
import type { Command, Order } from '../model/command.ts'
import { allowedToolsWarnings } from './allowed-tools-warnings.ts'
import { accepted, refused, type Decision, type HookCall } from './decision.ts'
import { deactivationDraft } from './decide-deactivation.ts'
import type { Draft } from '../model/event.ts'
import { currentTurn } from '../standing/current-turn.ts'
import { fixForSkill } from '../explain/explain-skill.ts'
import { isPermitted } from '../standing/is-permitted.ts'
import { placeClaims } from '../standing/place-claims.ts'
import { lifetimeInvalid, skillUnknown, toolNameTaken } from './refusals.ts'
import { activeSkills, openSkill } from '../standing/skill-standing.ts'
import type { OpenSource } from '../model/source-state.ts'
import type { WorkspaceState } from '../model/state.ts'
import type { Surroundings } from '../model/surroundings.ts'

type Activate = Extract<Command, { type: 'skill.activate' }>

/** Plan an activation: what leaves, what enters with which names, and the hooks of both. */
export function decideActivation(
  state: WorkspaceState,
  order: Order,
  command: Activate,
  around: Surroundings,
): Decision {
  const { catalog, agent } = around
  const { skills } = catalog
  const found = findSkill(command.skill, skills)
  if (!found.ok) return refused(order, command.skill, skillUnknown(command.skill, found.nearest))
  const wanted = found.name
  if (command.lifetime !== undefined && !lifetimeSchema.safeParse(command.lifetime).success) {
    return refused(order, wanted, lifetimeInvalid(wanted))
  }
  const already = openSkill(state, wanted)
  if (already && command.unlessActive) return { kind: 'accepted', drafts: [] }
  if (already && !already.requested && order.cause.by !== 'dependency') {
    const lifetime = command.lifetime ?? skills.get(wanted)?.lifetime ?? 'session'
    return accepted(order, { type: 'source.kept', owner: wanted, requested: true, lifetime })
  }
  if (already) {
    return refused(order, wanted, {
      code: 'skill-already-active',
      message: `The skill "${wanted}" is already active.`,
      hint:
        fixForSkill(state, around, wanted) ||
        (already.usesLeft === 0
          ? 'Its uses are spent; put it away first to activate it anew.'
          : 'Its tools are available now; put it away first to activate it anew.'),
      facts: { skill: wanted, since: already.since },
    })
  }
  const permitted = (name: string) => isPermitted(agent, name)
  if (!permitted(wanted)) {
    return refused(order, wanted, {
      code: 'not-permitted',
      message: `The agent "${agent?.name ?? ''}" may not load the skill "${wanted}".`,
      hint: `Add "${wanted}" to the skills of the agent.`,
      facts: { skill: wanted, agent: agent?.name },
    })
  }
  const plan = planActivation({
    wanted,
    skills,
    active: activeSkills(state),
    permitted,
    exclusiveAgent: agent?.exclusive ?? false,
    replace: command.replace ?? false,
    requested: (name) => openSkill(state, name)?.requested ?? true,
  })
  if (!plan.ok) return refused(order, wanted, plan)

  const leaving = new Set(plan.leave.map(({ skill }) => skill))
  const staying =
    leaving.size === 0
      ? state.open
      : state.open.filter(({ source, owner }) => source !== 'skill' || !leaving.has(owner))
  const opened: Draft[] = []
  let open: readonly OpenSource[] = staying
  for (const { skill, of } of plan.enter) {
    const placed = placeClaims(
      {
        source: 'skill',
        owner: skill,
        tools: catalog.skillTools.get(skill) ?? [],
        onConflict: skills.get(skill)?.onConflict ?? 'refuse',
      },
      open,
      agent,
    )
    if (!placed.ok) return refused(order, wanted, toolNameTaken(skill, placed))
    const cause: Cause = of === null ? order.cause : { by: 'dependency', of }
    const definition = skills.get(skill)?.hash ?? null
    const lifetime: Lifetime =
      of === null ? (command.lifetime ?? skills.get(skill)?.lifetime ?? 'session') : 'session'
    const requested = of === null
    const source = { source: 'skill' as const, owner: skill, definition, lifetime, requested }
    opened.push({ cause, event: { type: 'source.opened', ...source, claims: placed.claims } })
    const since = state.seq + leaving.size + opened.length
    const claims = placed.claims.map((claim) => ({ ...claim, since }))
    const turn = currentTurn(state)
    const terms = { usesLeft: null, turn, lastTurn: turn }
    open = [...open, { ...source, ...terms, claims, since, cause }]
  }
  const hooks: HookCall[] = [
    ...plan.leave.map(({ skill }) => ({ skill, hook: 'onDeactivate' as const })),
    ...plan.enter.map(({ skill }) => ({ skill, hook: 'onActivate' as const })),
  ].filter(({ skill, hook }) => skills.get(skill)?.[hook] !== undefined)
  const closed = plan.leave.map(({ skill }) =>
    deactivationDraft(
      skill,
      { by: 'policy', rule: `${leaveRule(plan.leave, skill)} ${wanted}` },
      state,
      around,
    ),
  )
  const warned = plan.enter.flatMap(({ skill }) =>
    allowedToolsWarnings(skill, { ...state, open }, around),
  )
  const warnings = warned.map((event): Draft => ({ cause: order.cause, event }))
  return { kind: 'planned', wanted, hooks, drafts: [...closed, ...opened, ...warnings] }
}

function leaveRule(
  leave: readonly { readonly skill: string; readonly because: string }[],
  skill: string,
): string {
  return leave.find((one) => one.skill === skill)?.because === 'conflict'
    ? 'conflict with'
    : 'exclusive beside'
}
