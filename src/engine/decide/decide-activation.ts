import { CONTINUE_WITHOUT } from '../explain/obstacle-to.ts'
import { planServers } from './plan-servers.ts'
import { deactivationDraft } from './decide-deactivation.ts'
import {
  accepted,
  type Decision,
  type HookCall,
  refused,
  toolNameTaken,
  UNCHANGED,
} from './decision.ts'
import { fixForSkill } from '../explain/explain-skill.ts'
import type { CommandOf, Order, Refusal } from '../model/command.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { OpenSource } from '../model/source-event.ts'
import type { Draft, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill, isPermitted, openSkill, planSkill } from '../standing/assess-skill.ts'
import { type AllowedTool, isNamedBy } from '../standing/allowed-tool.ts'
import { loadingEffect } from '../standing/loading-effect.ts'
import { allowedListOf } from '../standing/permission.ts'
import { namesServers, placeSkills } from '../standing/place-claims.ts'
import { skillMissing } from '../standing/unread-skills.ts'
import { lifetimeSchema } from '../../skills/definition/lifetime.ts'
import { findSkill } from '../../skills/find-skill.ts'
import { entryAgainst, entryPattern, isClientTool } from '../../skills/tool-of-client.ts'

/** Made once: making a schema takes longer than the rest of an activation. */
const givenLifetime = lifetimeSchema.optional()

/**
 * Plans an activation: the skills that leave, those that enter with their tools, and the hooks of
 * both.
 */
export function decideActivation(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'skill.activate'>,
  context: EngineContext,
): Decision {
  const { agent, catalog } = context
  const { skills } = catalog
  const found = findSkill(command.skill, skills)
  if (!found.ok) {
    return refused(order, command.skill, skillMissing(command.skill, found.nearest, catalog))
  }
  const wanted = found.name
  // A copy: the host may change what it gave.
  const checked = givenLifetime.safeParse(command.lifetime)
  if (!checked.success) return refused(order, wanted, lifetimeInvalid(wanted))
  const { data: lifetime } = checked
  const given = command.arguments
  if (given !== undefined && given.length > LONGEST_ARGUMENTS) {
    return refused(order, wanted, argumentsTooLong(wanted, given.length))
  }
  const open = openSkill(state, wanted)
  if (open !== null) {
    return decideActive(open, state, order, { ...command, ...(lifetime && { lifetime }) }, context)
  }
  if (!isPermitted(agent, wanted)) {
    return refused(order, wanted, {
      code: 'not-permitted',
      message: `The agent "${agent?.name ?? ''}" may not activate the skill "${wanted}".`,
      hint: `Add "${wanted}" to the skills of the agent.`,
      forModel: CONTINUE_WITHOUT,
      facts: { skill: wanted, agent: agent?.name },
    })
  }
  // The handler of a tool passes on what a model gave it.
  const isByModel = order.cause.by === 'model' || order.cause.by === 'tool'
  const reserved = isByModel ? catalog.leftToPeople.get(wanted) : undefined
  if (reserved !== undefined) return refused(order, wanted, refusedToModels(wanted, reserved))
  // The rules may be stricter than when the call of the model was judged.
  if (order.cause.by === 'model' && loadingEffect(wanted, state, context) === 'deny') {
    return refused(order, wanted, deniedToModels(wanted))
  }
  if (order.cause.by === 'user' && skills.get(wanted)?.userInvocable === false) {
    return refused(order, wanted, refusedToPeople(wanted))
  }
  const plan = planSkill(wanted, state, context, command.replace)
  if (!plan.ok) return refused(order, wanted, plan)
  const isWhile = order.command.type === 'condition.settle'
  const terms = {
    cause: order.cause,
    lifetime: isWhile ? ('while' as const) : lifetime,
    arguments: given,
  }
  const placed = placeSkills(plan, terms, state, context)
  if (!placed.ok) return refused(order, wanted, toolNameTaken(placed.skill, placed.clash))
  const leaving = plan.leave.map(({ skill }) => skill)
  const entering = plan.enter.map(({ skill }) => skill)
  const hooks: HookCall[] = [
    ...leaving.map((skill) => ({ skill, hook: 'onDeactivate' as const })),
    ...entering.map((skill) => ({ skill, hook: 'onActivate' as const })),
  ].filter(({ skill, hook }) => skills.get(skill)?.[hook] !== undefined)
  const closed = plan.leave.map(({ skill, because }) => {
    const rule = because === 'conflict' ? `conflict with ${wanted}` : `exclusive beside ${wanted}`
    return deactivationDraft(skill, { by: 'policy', rule }, state, context)
  })
  const after = { ...state, open: placed.open }
  const servers = namesServers([...leaving, ...entering], context)
    ? planServers(leaving, entering, order, after, context)
    : null
  if (servers?.ok === false) return refused(order, wanted, servers.refusal)
  const warnings = entering
    .flatMap((skill) => [
      ...allowedToolsWarnings(skill, after, context),
      ...takenToolsWarnings(skill, after, context),
    ])
    .map((event): Draft => ({ cause: order.cause, event }))
  return {
    kind: 'planned',
    wanted,
    hooks: [...hooks, ...(servers?.hooks ?? [])],
    drafts: [...closed, ...placed.opened, ...(servers?.drafts ?? []), ...warnings],
  }
}

/** The refusal of a skill whose author leaves its activation to people. */
function refusedToModels(skill: string, reserved: string): Refusal {
  const required = skill === reserved ? '' : ` It requires "${reserved}".`
  return {
    code: 'not-permitted',
    message: `The skill "${skill}" is activated by a person or the host, not by a model or a tool.${required}`,
    hint: `Ask the person to activate it, or remove disable-model-invocation from "${reserved}".`,
    forModel: 'Ask the person to activate it.',
    facts: { skill, reserved },
  }
}

/** The refusal of a skill that rules deny to models. */
function deniedToModels(skill: string): Refusal {
  return {
    code: 'denied',
    message: `The rules deny a model to load the skill "${skill}", or one that it requires.`,
    hint: 'Ask the person to activate it.',
    facts: { skill },
  }
}

/** The refusal of a skill whose author leaves its activation to models. */
function refusedToPeople(skill: string): Refusal {
  return {
    code: 'not-permitted',
    message: `The skill "${skill}" is activated by a model or the host, not by a person (user-invocable: false).`,
    hint: `Let the model load it, or remove user-invocable from "${skill}".`,
    facts: { skill },
  }
}

/**
 * The refusal of an invalid lifetime. Falling back to `session` could keep tools for too long.
 */
function lifetimeInvalid(skill: string): Refusal {
  return {
    code: 'lifetime-invalid',
    message: `"${skill}" cannot be activated with this lifetime. Use "session", { uses: n }, { turns: n } or { idle: n }.`,
    hint: 'n is a whole number, at least 1. Without a lifetime, that of the skill applies.',
    facts: { skill },
  }
}

/** Characters of the arguments of a skill: a longer text is data, and belongs into a message or a file. */
const LONGEST_ARGUMENTS = 8_000

function argumentsTooLong(skill: string, length: number): Refusal {
  return {
    code: 'arguments-too-long',
    message: `"${skill}" cannot be activated with arguments of ${length} characters. At most ${LONGEST_ARGUMENTS} are accepted.`,
    hint: 'Write a long text into a file or a message, and give its name.',
    facts: { skill, length },
  }
}

/**
 * Decides on a skill that is active already. One that is active only as a requirement, or while its condition holds, is
 * requested from now on.
 */
function decideActive(
  { owner, requested, lifetime: current, usesLeft, since }: OpenSource,
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'skill.activate'>,
  context: EngineContext,
): Decision {
  if (command.unlessActive) return UNCHANGED
  if ((!requested || current === 'while') && order.cause.by !== 'dependency') {
    const lifetime = command.lifetime ?? context.catalog.skills.get(owner)?.lifetime ?? 'session'
    const given = command.arguments === undefined ? {} : { arguments: command.arguments }
    return accepted(order, { type: 'source.kept', owner, requested: true, lifetime, ...given })
  }
  return refused(order, owner, {
    code: 'skill-already-active',
    message: `The skill "${owner}" is already active.`,
    hint:
      fixForSkill(assessSkill(state, context, owner), context) ||
      (usesLeft === 0
        ? 'Its uses are spent. To activate it again, deactivate it first.'
        : 'Its tools are available now. To activate it again, deactivate it first.'),
    facts: { skill: owner, since },
  })
}

/**
 * Warnings about entries of a skill's `allowed-tools` that do not have the effect the host chose.
 * None where `allowed-tools` are ignored, since most skills list the tools of other clients.
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
  const unjudged = list.tools.filter(({ calls }) => calls === null)
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
            `The skill "${skill}" lists unknown tools in allowed-tools: ${named(unmatched)}.`,
            'Use the names the tools are registered with, or remove the entries.',
          ),
        ]),
    ...(unjudged.length === 0
      ? []
      : [
          warning(
            'allowed-tools-with-arguments',
            `The skill "${skill}" lists tools in allowed-tools with arguments that cannot be judged here, so the entries allow nothing: ${named(unjudged)}.`,
            'To run such calls without asking, write a permission rule with "where".',
          ),
        ]),
  ]
}

/**
 * Warns of entries of `disallowed-tools` that take nothing away: they name neither a tool here nor one that a client or
 * a server may have.
 */
function takenToolsWarnings(
  skill: string,
  state: Pick<WorkspaceState, 'open'>,
  context: EngineContext,
): readonly WorkspaceEvent[] {
  const { disallowedTools = [] } = context.catalog.skills.get(skill) ?? {}
  const tools = disallowedTools.length === 0 ? [] : knownTools(state, context)
  const unmatched = disallowedTools.filter((entry) => {
    const name = entryPattern(entry)
    return (
      !isClientTool(name) &&
      !name.startsWith('mcp__') &&
      tools.every(({ claim, source }) => entryAgainst([entry], claim, source) === undefined)
    )
  })
  if (unmatched.length === 0) return []
  const named = unmatched.map((entry) => `"${entry}"`).join(', ')
  return [
    {
      type: 'warning.given',
      code: 'pattern-unmatched',
      subject: skill,
      message: `The skill "${skill}" lists unknown tools in disallowed-tools, so they take nothing away: ${named}.`,
      hint: 'Use the names the tools are registered with, or remove the entries.',
    },
  ]
}

/**
 * Plans the `onActivate` hook of a skill that another process activated. The plan changes nothing
 * unless the hook fails. The hook is not run for an activation that has ended meanwhile.
 */
export function decideSkillResume(
  state: WorkspaceState,
  { skill, since }: CommandOf<'skill.resume'>,
): Decision {
  const isStillActive = openSkill(state, skill)?.since === since
  if (!isStillActive || state.broken.some((one) => one.skill === skill)) return UNCHANGED
  const hooks: readonly HookCall[] = [{ skill, hook: 'onActivate', resumed: true }]
  return { kind: 'planned', wanted: skill, hooks, drafts: [] }
}

/**
 * Returns the entries of `allowed-tools` that match no tool, neither a registered one nor one of
 * the catalog.
 */
function unmatchedAllowedTools(
  tools: readonly AllowedTool[],
  state: Pick<WorkspaceState, 'open'>,
  context: Pick<EngineContext, 'catalog'>,
): readonly AllowedTool[] {
  const known = knownTools(state, context)
  return tools.filter((entry) => !known.some((one) => isNamedBy(entry, one)))
}

/** Returns the registered tools with their sources, and those of the catalog. */
function knownTools(
  { open }: Pick<WorkspaceState, 'open'>,
  { catalog }: Pick<EngineContext, 'catalog'>,
) {
  const named = [...catalog.bringers.keys(), ...catalog.sharedTools.keys()]
  return [
    ...open.flatMap((source) => source.claims.map((claim) => ({ claim, source }))),
    ...named.map((name) => ({ claim: { name, definedAs: name }, source: undefined })),
  ]
}
