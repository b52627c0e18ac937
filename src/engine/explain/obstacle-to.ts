import { describeCause } from './describe-event.ts'
import { fixForSkill } from './explain-skill.ts'
import type { Reason } from './verdict.ts'
import { whyDenied } from './permission-reasons.ts'
import { driftFix, driftReason, toolDrift } from './tool-drift.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { assessSkill } from '../standing/assess-skill.ts'
import { loadingEffect } from '../standing/loading-effect.ts'
import { isLifetimeOver } from '../standing/ended-lifetimes.ts'
import { blockingPolicy, exhaustedBudget } from '../standing/tool-status.ts'
import { type ToolRow, toolTable } from '../standing/tool-table.ts'
import { filePlace } from '../../kernel/diagnostic.ts'
import { entryAgainst } from '../../skills/tool-of-client.ts'
import { withheldReason } from '../../tools/definition/guard-handler.ts'

/** The reason against a registered tool, and what would change that. */
export interface Obstacle {
  /** Null when nothing is against it, or the reasons of its skill say it all. */
  readonly reason: Reason | null
  /** Empty when it is available. */
  readonly fix: string
  /** The advice to a model, which continues without the tool when absent. */
  readonly forModel?: string
}

/** The advice to a model where only the host can change something. */
export const CONTINUE_WITHOUT = 'Continue without it.'

export const NO_OBSTACLE: Obstacle = { reason: null, fix: '' }

/** Returns the first reason against a registered tool. */
export function obstacleTo(row: ToolRow, state: WorkspaceState, context: EngineContext): Obstacle {
  const { owner, claim, status, tool } = row
  const { policy, policySince } = state
  const { agent } = context
  switch (status) {
    case 'available':
    case 'gone':
    case 'left-out':
    case 'unknown':
      return NO_OBSTACLE
    case 'skill-inactive':
      return { reason: null, ...wayToSkill(owner.owner, state, context) }
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
        fix: `${AWAY[source] ?? 'Unregister'} "${by}", or register this one with onConflict "namespace".`,
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
      const { permission } = row
      if (permission === null) return NO_OBSTACLE
      return {
        reason: whyDenied(permission, row, state, context),
        ...(permission.by === 'skill'
          ? {
              fix: `Deactivate "${permission.skill}".`,
              forModel: `Deactivate "${permission.skill}".`,
            }
          : { fix: 'Ask the host to change its permissions.' }),
      }
    }
    case 'blocked-by-mode': {
      const blocking = blockingPolicy(policy, row) ?? policy
      const { mode, limits } = blocking
      const isOwn = blocking === policy
      return tool?.modes === undefined || tool.modes.includes(mode)
        ? {
            reason: {
              seq: policySince,
              text: `The mode "${mode}"${isOwn ? '' : ' of its parent session'} allows only ${(limits.tools ?? []).join(', ')}.`,
            },
            fix: 'Switch to a mode that allows it.',
          }
        : {
            reason: {
              seq: policySince,
              text: `It is for the modes ${tool.modes.join(', ')}; ${isOwn ? 'this session' : 'its parent session'} is in "${mode}".`,
            },
            fix: `Open the session in mode ${tool.modes.join(' or ')}.`,
          }
    }
    case 'budget-spent':
      return isLifetimeOver(owner, state.turn)
        ? {
            reason: {
              seq: lastCall(state, (name) => owner.claims.some((one) => one.name === name)),
              text: lifetimeOver(owner),
            },
            fix: `Deactivate "${owner.owner}" and activate it again.`,
            forModel: `Deactivate "${owner.owner}" and activate it again.`,
          }
        : callsSpent(row, state, context)
    case 'unbound': {
      const withheld = context.handlers === 'here' ? withheldReason(tool) : null
      if (withheld !== null) {
        const reason = { seq: claim.since, text: withheld.message, forHost: true as const }
        return { reason, fix: withheld.hint }
      }
      const finding = context.catalog.diagnostics.find((one) => one.tool === claim.hash)
      if (finding !== undefined) {
        const { message: text } = finding
        const forHost = true as const
        const reason = { seq: claim.since, text, forHost, ...filePlace(finding) }
        return { reason, fix: finding.hint }
      }
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
            fix: state.registered.some(
              ({ skill }) => owner.source === 'skill' && skill === owner.owner,
            )
              ? `Give the skill with its handlers to this process: registerSkill, with the same definition of "${owner.owner}".`
              : 'Bind a handler: write its file if it has none, trust the folder it was read from, or register the tool with a handler.',
          }
    }
    case 'not-exposed': {
      const { activeTools } = state
      if (activeTools && !activeTools.names.includes(claim.name)) {
        const shown = activeTools.names.join(', ') || 'no tool'
        return {
          reason: {
            seq: activeTools.seq,
            text: `The host shows the model only ${shown} in this step.`,
          },
          fix: `Add "${claim.name}" to the activeTools of the step.`,
        }
      }
      const { name = '', tools = [], disallowedTools = [] } = agent ?? {}
      const taken = entryAgainst(disallowedTools, claim, owner)
      if (taken !== undefined) {
        const text = `Agent "${name}" takes it away, by its disallowedTools: ${taken}.`
        return { reason: { seq: 0, text }, fix: `Remove "${taken}" from the agent.` }
      }
      return {
        reason: { seq: 0, text: `Agent "${name}" shows its model only ${tools.join(', ')}.` },
        fix: `Add "${claim.name}" to the tools of the agent.`,
      }
    }
  }
}

/** Returns the way to a skill that is not active, for the host, and for a model if it may load the skill. */
export function wayToSkill(
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
): Pick<Obstacle, 'fix' | 'forModel'> {
  const assessment = assessSkill(state, context, skill)
  const fix = fixForSkill(assessment, context)
  const { status } = assessment
  if (status === 'conflicting' || status === 'unknown') return { fix, forModel: fix }
  if (status !== 'inactive' && status !== 'pending') return { fix }
  const isForPeople =
    context.catalog.leftToPeople.has(skill) || loadingEffect(skill, state, context) === 'deny'
  const ask = `Ask the user to activate the skill "${skill}", or continue without it.`
  return { fix, forModel: isForPeople ? ask : fix }
}

/** The ways to make an owner leave; that of components and global tools for any other. */
const AWAY: Readonly<Record<string, string>> = { skill: 'Deactivate', server: 'Detach' }

/** The entry of the last call of some tools; without one the opening, which set the limit. */
function lastCall({ used }: WorkspaceState, isOne: (tool: string) => boolean): number {
  const calls = used.filter(({ tool }) => isOne(tool))
  return calls.reduce((last, { lastSeq }) => Math.max(last, lastSeq), 0)
}

function lifetimeOver({ owner, lifetime }: OpenSource): string {
  if (typeof lifetime === 'string' || 'uses' in lifetime) return `The uses of "${owner}" are spent.`
  return 'turns' in lifetime
    ? `The turns of "${owner}" are over (${lifetime.turns}).`
    : `No tool of "${owner}" was called for more turns than it may idle (${lifetime.idle}).`
}

function callsSpent({ tool }: ToolRow, state: WorkspaceState, context: EngineContext): Obstacle {
  const { byName } = toolTable(state, context)
  const { of, limit, above } = exhaustedBudget(tool?.category ?? 'utility', state) ?? {}
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
  if (above) {
    const whose = of === 'session' ? 'parent session' : "parent's turn"
    return {
      reason: { seq: state.seq, text: `The calls of the ${whose} are spent (${limit}).` },
      fix: 'Continue without it: calls of a child session count in the limits of its parent, too.',
    }
  }
  return {
    reason: { seq: lastCall(state, isCounted), text: `The ${calls} are spent (${limit}).` },
    ...(of !== 'session' && { forModel: 'Continue without it until the next turn.' }),
    fix:
      of === 'session'
        ? 'Start another session, or ask the host to raise its limit.'
        : `Continue without it until the next turn. The host sets this limit: ${of === 'turn' ? 'calls' : 'callsPerTurn of the policy, or'} of the mode "${state.policy.mode}".`,
  }
}
