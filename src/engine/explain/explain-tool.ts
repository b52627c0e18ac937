import { describeCause } from './describe-event.ts'
import { fixForSkill, reasonsForSkill } from './explain-skill.ts'
import type { Explanation, Reason } from './explanation.ts'
import { permissionReasons, whyDenied } from './permission-reasons.ts'
import { driftFix, driftReason, toolDrift } from './tool-drift.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from '../standing/assess-skill.ts'
import { assess, type Assessment } from '../standing/assess.ts'
import { isLifetimeOver } from '../standing/ended-lifetimes.ts'
import { type LoadingCall, skillLoadedByCall } from '../standing/findable-tools.ts'
import { loadingEffect } from '../standing/loading-effect.ts'
import { permissionOf } from '../standing/permission.ts'
import { exhaustedBudget, judgeInactiveTool, type ToolStatus } from '../standing/tool-status.ts'
import { ownerAddress, type ToolRow, toolTable } from '../standing/tool-table.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'

/** Explains a tool by its name, or by `owner/name`. */
export function explainTool(
  state: WorkspaceState,
  context: EngineContext,
  address: string,
): Explanation<ToolStatus> {
  const assessment = assess(state, context, address)
  const { status } = assessment
  const base = { name: address, kind: 'tool' as const, status, nearest: [] }
  switch (assessment.kind) {
    case 'registered':
      return { ...base, ...explainRow(assessment.row, state, context) }
    case 'unregistered': {
      const loading = skillLoadedByCall(state, context, address)
      return loading === null
        ? { ...base, ...explainUnregistered(assessment, state, context) }
        : { ...base, ...explainFound(loading, state, context) }
    }
    case 'unknown': {
      const { name, nearest } = assessment
      return {
        ...base,
        source: null,
        owner: null,
        because: [{ seq: Math.max(0, state.seq), text: `No tool is named "${name}".` }],
        fix: didYouMean(nearest, 'List the tools to see their names.'),
        nearest,
      }
    }
  }
}

type ExplanationBody = Pick<
  Explanation<ToolStatus>,
  'source' | 'owner' | 'because' | 'fix' | 'changes'
>

/** A registered tool: how it was registered, then what is against it. */
function explainRow(row: ToolRow, state: WorkspaceState, context: EngineContext): ExplanationBody {
  const { owner, claim, status } = row
  const changes = toolDrift(row, state, context)?.changes
  const { reason, fix } = obstacle(row, state, context)
  const came: readonly Reason[] =
    owner.source === 'skill'
      ? reasonsForSkill(assessSkill(state, context, owner.owner), state, context)
      : [{ seq: claim.since, text: howRegistered(row) }]
  const rest = reason === null ? [] : [reason]
  return {
    source: owner.source,
    owner: owner.owner,
    because: [...came, ...(status === 'available' ? permissionReasons(row, state, context) : rest)],
    fix,
    ...(changes && { changes }),
  }
}

function howRegistered({ owner, claim }: ToolRow): string {
  const name = claim.name === claim.definedAs ? '' : `, under the name "${claim.name}"`
  if (owner.source === 'global' && owner.owner === 'global') {
    return `It was registered ${describeCause(owner.cause)}${name}.`
  }
  const who = owner.source === 'component' ? `Component "${owner.owner}"` : `"${owner.owner}"`
  return `${who} registered it ${describeCause(owner.cause)}${name}.`
}

/** The reason against a registered tool, and what would change that. */
interface Obstacle {
  /** Null when nothing is against it, or the reasons of its skill say it all. */
  readonly reason: Reason | null
  /** Empty when it is available. */
  readonly fix: string
}

function obstacle(row: ToolRow, state: WorkspaceState, context: EngineContext): Obstacle {
  const { owner, claim, status, tool } = row
  const { policy, policySince } = state
  const { agent } = context
  switch (status) {
    case 'available':
    case 'unknown':
      return { reason: null, fix: '' }
    case 'skill-inactive':
      return { reason: null, fix: fixForSkill(assessSkill(state, context, owner.owner), context) }
    case 'changed': {
      const drift = toolDrift(row, state, context)
      return drift === null
        ? { reason: null, fix: fixForSkill(assessSkill(state, context, owner.owner), context) }
        : { reason: driftReason(row, drift), fix: driftFix(row) }
    }
    case 'shadowed': {
      const holder = toolTable(state, context).byName.get(claim.name)
      const { source = '', owner: by = '' } = holder?.owner ?? {}
      return {
        reason: {
          seq: holder?.claim.since ?? claim.since,
          text: `The name belongs to the tool of "${by}" (${source}).`,
        },
        fix: `${source === 'skill' ? 'Deactivate' : 'Unregister'} "${by}", or register this one with onConflict "namespace".`,
      }
    }
    case 'disabled': {
      const off = state.disabled.find((one) => one.tool === claim.name)
      const by = describeCause(off?.cause ?? { by: 'host' })
      return {
        reason: { seq: off?.seq ?? 0, text: `It was switched off ${by}.` },
        fix: `Switch it on: setToolEnabled("${claim.name}", true).`,
      }
    }
    case 'denied': {
      const permission = permissionOf(row, state, context, null)
      return {
        reason: whyDenied(permission, row, state, context),
        fix:
          permission.by === 'skill'
            ? `Deactivate "${permission.skill}".`
            : 'Ask the host to change its permissions.',
      }
    }
    case 'blocked-by-mode':
      return tool?.modes === undefined || tool.modes.includes(policy.mode)
        ? {
            reason: {
              seq: policySince,
              text: `The mode "${policy.mode}" allows only ${(policy.limits.tools ?? []).join(', ')}.`,
            },
            fix: 'Switch to a mode that allows it.',
          }
        : {
            reason: {
              seq: policySince,
              text: `It is for the modes ${tool.modes.join(', ')}; this session is in "${policy.mode}".`,
            },
            fix: `Open the session in mode ${tool.modes.join(' or ')}.`,
          }
    case 'budget-spent':
      return isLifetimeOver(owner, state.turn)
        ? {
            reason: {
              seq: lastCall(state, (name) => owner.claims.some((one) => one.name === name)),
              text: lifetimeOver(owner),
            },
            fix: `Deactivate "${owner.owner}" and activate it again.`,
          }
        : callsSpent(row, state, context)
    case 'unbound':
      return context.handlers === 'recorded' && !claim.bound
        ? {
            reason: {
              seq: claim.since,
              text: 'No handler was bound to it when it was registered.',
            },
            fix: 'Resume the session where the tool has a handler. This view shows what was recorded.',
          }
        : {
            reason: { seq: claim.since, text: 'No handler is bound to it in this process.' },
            fix: 'Bind a handler: trust the folder it was read from, or register the tool with one.',
          }
    case 'not-exposed': {
      const patterns = (agent?.tools ?? []).join(', ')
      return {
        reason: { seq: 0, text: `Agent "${agent?.name ?? ''}" shows its model only ${patterns}.` },
        fix: `Add "${claim.name}" to the tools of the agent.`,
      }
    }
  }
}

/** The entry of the last call of some tools; without one the opening, which set the limit. */
function lastCall({ used }: WorkspaceState, isOne: (tool: string) => boolean): number {
  const calls = used.filter(({ tool }) => isOne(tool))
  return calls.reduce((last, { lastSeq }) => Math.max(last, lastSeq), 0)
}

function lifetimeOver({ owner, lifetime }: OpenSource): string {
  if (lifetime === 'session' || 'uses' in lifetime) return `The uses of "${owner}" are spent.`
  return 'turns' in lifetime
    ? `The turns of "${owner}" are over (${lifetime.turns}).`
    : `No tool of "${owner}" was called for more turns than it may idle (${lifetime.idle}).`
}

function callsSpent({ tool }: ToolRow, state: WorkspaceState, context: EngineContext): Obstacle {
  const { byName } = toolTable(state, context)
  const { of, limit } = exhaustedBudget(tool?.category ?? 'utility', state) ?? {}
  const isCounted = (name: string) => {
    const called = byName.get(name)
    if (of === 'session' || of === 'turn') return !called || !isMeta(called.owner)
    return called?.tool?.category === of
  }
  const calls =
    of === 'session'
      ? 'calls of this session'
      : of === 'turn'
        ? 'calls of this turn'
        : `${of} calls of this turn`
  return {
    reason: { seq: lastCall(state, isCounted), text: `The ${calls} are spent (${limit}).` },
    fix:
      of === 'session'
        ? 'Start another session, or ask the host to raise its limit.'
        : `Continue without it until the next turn. The host sets this limit: ${of === 'turn' ? 'calls' : 'callsPerTurn of the policy, or'} of the mode "${state.policy.mode}".`,
  }
}

/**
 * A tool of the catalog that is not registered, explained by the skill that could bring it now, if
 * any.
 */
function explainUnregistered(
  { name, bringers }: Extract<Assessment, { kind: 'unregistered' }>,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const assessments = bringers.map((one) => assessSkill(state, context, one))
  const assessment = assessments.find(({ status }) => status === 'inactive') ?? assessments[0]
  if (assessment === undefined) {
    return {
      source: null,
      owner: null,
      because: [{ seq: 0, text: 'No skill of the catalog brings this shared tool.' }],
      fix: 'Name it in a skill, or in a toolset that a skill names.',
    }
  }
  const skill = assessment.name
  const address = ownerAddress({ source: 'skill', owner: skill }, name)
  const alias = toolTable(state, context).byAddress.get(address)
  return {
    source: 'skill',
    owner: skill,
    because: [
      ...reasonsForSkill(assessment, state, context),
      ...loadingReasons(skill, state, context),
    ],
    fix:
      alias === undefined
        ? fixForSkill(assessment, context) + remainingObstacle(name, skill, state, context)
        : `It is registered as "${alias.name}".`,
  }
}

/** The reason why a model does not activate the skill of a tool by a call, if it could otherwise. */
function loadingReasons(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const effect = loadingEffect(skill, state, context)
  if (effect === null) return []
  const text =
    effect === 'deny'
      ? `A model cannot load "${skill}": loadSkill is denied or switched off.`
      : `A model loads "${skill}" only by loadSkill, which asks a person first.`
  return [{ seq: state.policySince, text }]
}

/** A warning when activating the skill of a tool would not make the tool available. */
function remainingObstacle(
  name: string,
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): string {
  const brought = context.catalog.skillTools.get(skill)
  const tool = brought?.find((one) => one.tool.name === name)?.tool
  const status = tool && judgeInactiveTool(tool, skill, state, context).status
  return status === undefined || status === 'available'
    ? ''
    : ` Even then the tool would be ${status}.`
}

/** A tool that a search found, whose skill is activated when it is called. */
function explainFound(
  { skill, found }: LoadingCall,
  state: WorkspaceState,
  context: EngineContext,
): ExplanationBody {
  const text = 'A search found it, so it can be called before its skill is activated.'
  return {
    source: 'skill',
    owner: skill,
    because: [
      ...reasonsForSkill(assessSkill(state, context, skill), state, context),
      { seq: found.since, text },
    ],
    fix: `Call it: the call activates the skill "${skill}".`,
  }
}
