import { describeCause } from './describe-event.ts'
import { fixForSkill, reasonsForSkill } from './explain-skill.ts'
import type { Reason } from './explanation.ts'
import { permissionReasons, whyDenied } from './permission-reasons.ts'
import { driftFix, driftReason, toolDrift } from './tool-drift.ts'
import type { EngineContext } from '../model/engine-context.ts'
import { isMeta, type OpenSource } from '../model/source-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { isLifetimeOver } from '../standing/ended-lifetimes.ts'
import { permissionOf } from '../standing/permission.ts'
import { exhaustedBudget, type ExhaustedBudget } from '../standing/tool-status.ts'
import { type ToolRow, toolTable } from '../standing/tool-table.ts'

/** What led a registered tool to its status: how it came, then what stands against it. */
export function reasonsForTool(
  row: ToolRow,
  state: WorkspaceState,
  context: EngineContext,
): readonly Reason[] {
  const { owner, claim } = row
  const came: readonly Reason[] =
    owner.source === 'skill'
      ? reasonsForSkill(state, context, owner.owner)
      : [{ seq: claim.since, text: registered(row) }]
  const against = obstacle(row, state, context)
  if (against !== null) return [...came, against]
  return row.status === 'available' ? [...came, ...permissionReasons(row, state, context)] : came
}

function registered({ owner, claim }: ToolRow): string {
  const name = claim.name === claim.definedAs ? '' : `, under the name "${claim.name}"`
  if (owner.source === 'global' && owner.owner === 'global') {
    return `It was registered ${describeCause(owner.cause)}${name}.`
  }
  const who = owner.source === 'component' ? `Component "${owner.owner}"` : `"${owner.owner}"`
  return `${who} registered it ${describeCause(owner.cause)}${name}.`
}

function obstacle(row: ToolRow, state: WorkspaceState, context: EngineContext): Reason | null {
  const { owner, claim, tool, status } = row
  const { policy, policySince } = state
  const { agent } = context
  switch (status) {
    case 'available':
    case 'skill-inactive':
    case 'unknown':
      return null
    case 'changed': {
      const drift = toolDrift(row, state, context)
      return drift === null ? null : driftReason(row, drift)
    }
    case 'shadowed': {
      const holder = toolTable(state, context).byName.get(claim.name)
      return {
        seq: holder?.claim.since ?? claim.since,
        text: `The name is held by "${holder?.owner.owner ?? ''}" (${holder?.owner.source ?? ''}).`,
      }
    }
    case 'disabled': {
      const off = state.disabled.find((one) => one.tool === claim.name)
      return {
        seq: off?.seq ?? 0,
        text: `It was switched off ${describeCause(off?.cause ?? { by: 'host' })}.`,
      }
    }
    case 'denied':
      return whyDenied(row, state, context)
    case 'blocked-by-mode':
      return {
        seq: policySince,
        text: isForMode(row, policy.mode)
          ? `The mode "${policy.mode}" allows only ${(policy.limits.tools ?? []).join(', ')}.`
          : `It is for the modes ${(tool?.modes ?? []).join(', ')}; this session is in "${policy.mode}".`,
      }
    case 'budget-spent':
      return isLifetimeOver(owner, state.turn)
        ? {
            seq: lastCall(state, (name) => owner.claims.some((one) => one.name === name)),
            text: lifetimeOver(owner),
          }
        : callsSpent(row, state, context)
    case 'unbound':
      return {
        seq: claim.since,
        text: wasUnbound(row, context)
          ? 'No handler was bound to it when it was registered.'
          : 'No handler is bound to it in this process.',
      }
    case 'not-exposed':
      return {
        seq: 0,
        text: `Agent "${agent?.name ?? ''}" shows its model only ${(agent?.tools ?? []).join(', ')}.`,
      }
  }
}

/** Whether the definition has nothing against the mode, so that the mode has something against it. */
function isForMode({ tool }: ToolRow, mode: string): boolean {
  return tool?.modes === undefined || tool.modes.includes(mode)
}

function callsSpent({ tool }: ToolRow, state: WorkspaceState, context: EngineContext): Reason {
  const { byName } = toolTable(state, context)
  const spent = budgetOf(tool, state)
  const counts = (name: string) => {
    const called = byName.get(name)
    if (spent?.of === 'session' || spent?.of === 'turn') return !called || !isMeta(called.owner)
    return called?.tool?.category === spent?.of
  }
  return { seq: lastCall(state, counts), text: describeSpent(spent) }
}

function budgetOf(tool: ToolRow['tool'], state: WorkspaceState): ExhaustedBudget | null {
  return exhaustedBudget(tool?.category ?? 'utility', state)
}

function describeSpent(spent: ExhaustedBudget | null): string {
  switch (spent?.of) {
    case 'session':
      return `The calls of this session are spent (${spent.limit}).`
    case 'turn':
      return `The calls of this turn are spent (${spent.limit}).`
    case 'retrieval':
    case 'action':
    case 'utility':
      return `The ${spent.of} calls of this turn are spent (${spent.limit}).`
    case undefined:
      return ''
  }
}

/** Who only looks is told of the handlers there were: none of this process would change that. */
function wasUnbound({ claim }: ToolRow, { handlers }: EngineContext): boolean {
  return handlers === 'recorded' && !claim.bound
}

function lifetimeOver({ owner, lifetime }: OpenSource): string {
  if (lifetime === 'session' || 'uses' in lifetime) return `The uses of "${owner}" are spent.`
  return 'turns' in lifetime
    ? `The turns of "${owner}" are over (${lifetime.turns}).`
    : `No tool of "${owner}" was called for more turns than it may idle (${lifetime.idle}).`
}

/** The entry of the last call of some tools; the opening, which set the limit, without one. */
function lastCall({ used }: WorkspaceState, isOne: (tool: string) => boolean): number {
  const calls = used.filter(({ tool }) => isOne(tool))
  return calls.reduce((last, { lastSeq }) => Math.max(last, lastSeq), 0)
}

/** What would make a registered tool available; empty when it is. */
export function fixForTool(row: ToolRow, state: WorkspaceState, context: EngineContext): string {
  const { owner, claim, status, tool } = row
  switch (status) {
    case 'available':
    case 'unknown':
      return ''
    case 'changed':
      return toolDrift(row, state, context) === null
        ? fixForSkill(state, context, owner.owner)
        : driftFix(row)
    case 'skill-inactive':
      return fixForSkill(state, context, owner.owner)
    case 'shadowed': {
      const holder = toolTable(state, context).byName.get(claim.name)
      return `Put "${holder?.owner.owner ?? ''}" away, or register this one with onConflict "namespace".`
    }
    case 'disabled':
      return `Switch it on: setToolEnabled("${claim.name}", true).`
    case 'denied': {
      const judgement = permissionOf(row, state, context, null)
      return judgement.by === 'skill'
        ? `Put "${judgement.skill}" away.`
        : 'Ask the host to change its permissions.'
    }
    case 'blocked-by-mode':
      return isForMode(row, state.policy.mode)
        ? 'Switch to a mode that allows it.'
        : `Open the session in mode ${(tool?.modes ?? []).join(' or ')}.`
    case 'budget-spent':
      return isLifetimeOver(owner, state.turn)
        ? `Put "${owner.owner}" away and activate it again.`
        : budgetOf(tool, state)?.of === 'session'
          ? 'Begin another session, or ask the host to raise its limit.'
          : 'Wait for the next turn.'
    case 'unbound':
      return wasUnbound(row, context)
        ? 'Go on with the session where the tool has a handler; who only looks sees what was recorded.'
        : 'Bind a handler: trust the folder it was read from, or register the tool with one.'
    case 'not-exposed':
      return `Add "${claim.name}" to the tools of the agent.`
  }
}
