import { deactivationDraft } from './decide-deactivation.ts'
import {
  accepted,
  type Decision,
  type HookCall,
  refused,
  skillUnknown,
  toolNameTaken,
} from './decision.ts'
import { fixForSkill } from '../explain/explain-skill.ts'
import type { Command, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { Draft, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { isPermitted, openSkill, planSkill } from '../standing/assess-skill.ts'
import { allowedListOf, unmatchedAllowedTools } from '../standing/permission.ts'
import { placeSkills } from '../standing/place-skills.ts'
import { lifetimeSchema } from '../../skills/definition/lifetime.ts'
import { findSkill } from '../../skills/find-skill.ts'

type Activate = Extract<Command, { type: 'skill.activate' }>

/** Plan an activation: what leaves, what enters with which names, and the hooks of both. */
export function decideActivation(
  state: WorkspaceState,
  order: Order,
  command: Activate,
  context: EngineContext,
): Decision {
  const { catalog, agent } = context
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
        fixForSkill(state, context, wanted) ||
        (already.usesLeft === 0
          ? 'Its uses are spent; put it away first to activate it anew.'
          : 'Its tools are available now; put it away first to activate it anew.'),
      facts: { skill: wanted, since: already.since },
    })
  }
  if (!isPermitted(agent, wanted)) {
    return refused(order, wanted, {
      code: 'not-permitted',
      message: `The agent "${agent?.name ?? ''}" may not load the skill "${wanted}".`,
      hint: `Add "${wanted}" to the skills of the agent.`,
      facts: { skill: wanted, agent: agent?.name },
    })
  }
  const plan = planSkill(wanted, state, context, command.replace)
  if (!plan.ok) return refused(order, wanted, plan)

  const terms = { cause: order.cause, lifetime: command.lifetime }
  const placed = placeSkills(plan, terms, state, context)
  if (!placed.ok) return refused(order, wanted, toolNameTaken(placed.skill, placed.clash))
  const hooks: HookCall[] = [
    ...plan.leave.map(({ skill }) => ({ skill, hook: 'onDeactivate' as const })),
    ...plan.enter.map(({ skill }) => ({ skill, hook: 'onActivate' as const })),
  ].filter(({ skill, hook }) => skills.get(skill)?.[hook] !== undefined)
  const closed = plan.leave.map(({ skill }) =>
    deactivationDraft(
      skill,
      { by: 'policy', rule: `${leaveRule(plan.leave, skill)} ${wanted}` },
      state,
      context,
    ),
  )
  const warned = plan.enter.flatMap(({ skill }) =>
    allowedToolsWarnings(skill, { ...state, open: placed.open }, context),
  )
  const warnings = warned.map((event): Draft => ({ cause: order.cause, event }))
  return {
    kind: 'planned',
    wanted,
    hooks,
    drafts: [...closed, ...placed.opened, ...warnings],
  }
}

function leaveRule(
  leave: readonly { readonly skill: string; readonly because: string }[],
  skill: string,
): string {
  return leave.find((one) => one.skill === skill)?.because === 'conflict'
    ? 'conflict with'
    : 'exclusive beside'
}

/** Lasting for the session instead would leave tools available that were to go. */
function lifetimeInvalid(skill: string): Refusal {
  return {
    code: 'lifetime-invalid',
    message: `"${skill}" cannot be activated with this lifetime: there is "session", { uses: n }, { turns: n } and { idle: n }.`,
    hint: 'Give a whole number, at least 1, or leave the lifetime to the skill.',
    facts: { skill },
  }
}

/**
 * What a host should know of the `allowed-tools` of a skill that becomes active: what has not the effect
 * the host chose. Nothing where they are ignored, since most skills name the tools of their clients.
 */
function allowedToolsWarnings(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): readonly WorkspaceEvent[] {
  const effect = state.policy.allowedTools
  const list = effect === 'ignore' ? null : allowedListOf(skill, context.catalog)
  if (list === null) return []
  const unmatched = unmatchedAllowedTools(list.tools, state, context)
  const bound =
    effect === 'pre-approve' ? list.tools.filter(({ argument }) => argument !== null) : []
  const warning = (code: string, message: string, hint: string): WorkspaceEvent => ({
    type: 'warning.given',
    code,
    subject: skill,
    message,
    hint,
  })
  const named = (tools: typeof list.tools) => tools.map(({ text }) => `"${text}"`).join(', ')
  return [
    ...(unmatched.length === 0
      ? []
      : [
          warning(
            'allowed-tools-unmatched',
            `The skill "${skill}" names in allowed-tools what no tool is called: ${named(unmatched)}.`,
            'Name tools as they are registered, or leave the entries out.',
          ),
        ]),
    ...(bound.length === 0
      ? []
      : [
          warning(
            'allowed-tools-with-arguments',
            `The skill "${skill}" names in allowed-tools tools with arguments, which pre-approve nothing: ${named(bound)}.`,
            'Write a rule of permissions with "where" for the calls that need not be asked about.',
          ),
        ]),
  ]
}

type Resume = Extract<Command, { type: 'skill.resume' }>

/**
 * Plan the `onActivate` of a skill that another process activated. It changes nothing unless it
 * fails, and is not run for an activation that has ended meanwhile.
 */
export function decideSkillResume(state: WorkspaceState, { skill, since }: Resume): Decision {
  const isThere = openSkill(state, skill)?.since === since
  const isBroken = state.broken.some((one) => one.skill === skill)
  return isThere && !isBroken
    ? {
        kind: 'planned',
        wanted: skill,
        hooks: [{ skill, hook: 'onActivate', resumed: true }],
        drafts: [],
      }
    : { kind: 'accepted', drafts: [] }
}
