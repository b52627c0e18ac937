import { covers } from '../covers.ts'
import { describeCause } from './describe-cause.ts'
import type { Reason } from './reason.ts'
import { fixForSkill, reasonsForSkill } from './explain-skill.ts'
import { isSpent } from '../lifetime-end.ts'
import type { OpenSource, WorkspaceState } from '../state.ts'
import type { Surroundings } from '../surroundings.ts'
import { toolTable } from '../tool-table.ts'
import type { ToolRow } from '../tool-row.ts'

/** What led a registered tool to its status: how it came, then what stands against it. */
export function reasonsForRow(
  row: ToolRow,
  state: WorkspaceState,
  surroundings: Surroundings,
): readonly Reason[] {
  const { owner, claim } = row
  const came: readonly Reason[] =
    owner.source === 'skill'
      ? reasonsForSkill(state, surroundings, owner.owner)
      : [{ seq: claim.since, text: registered(row) }]
  const against = obstacle(row, state, surroundings)
  return against === null ? came : [...came, against]
}

function registered({ owner, claim }: ToolRow): string {
  const who = owner.source === 'component' ? `Component "${owner.owner}"` : `"${owner.owner}"`
  const name = claim.name === claim.definedAs ? '' : `, under the name "${claim.name}"`
  return `${who} registered it ${describeCause(owner.cause)}${name}.`
}

function obstacle(row: ToolRow, state: WorkspaceState, surroundings: Surroundings): Reason | null {
  const { owner, claim, tool, status } = row
  const { policy, policySince } = state
  const { agent } = surroundings
  const categoryOf = (name: string) =>
    toolTable(state, surroundings).byName.get(name)?.tool?.category
  switch (status) {
    case 'available':
    case 'skill-inactive':
    case 'changed':
    case 'unknown':
      return null
    case 'shadowed': {
      const holder = toolTable(state, surroundings).byName.get(claim.name)
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
    case 'denied': {
      return { seq: policySince, text: `The policy denies "${covers(policy.deny, claim) ?? ''}".` }
    }
    case 'blocked-by-mode':
      return {
        seq: policySince,
        text: `It is for the modes ${(tool?.modes ?? []).join(', ')}; this session is in "${policy.mode}".`,
      }
    case 'budget-spent':
      return isSpent(owner, state.turn)
        ? {
            seq: lastCall(state, (name) => owner.claims.some((one) => one.name === name)),
            text: lifetimeOver(owner),
          }
        : {
            seq: lastCall(state, (name) => categoryOf(name) === tool?.category),
            text: `The ${tool?.category ?? ''} calls of this turn are spent (${policy.callsPerTurn[tool?.category ?? 'utility'] ?? 0}).`,
          }
    case 'unbound':
      return { seq: claim.since, text: 'No handler is bound to it in this process.' }
    case 'not-exposed':
      return {
        seq: 0,
        text: `Agent "${agent?.name ?? ''}" shows its model only ${(agent?.tools ?? []).join(', ')}.`,
      }
  }
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
export function fixForTool(
  { owner, claim, status, tool }: ToolRow,
  state: WorkspaceState,
  surroundings: Surroundings,
): string {
  switch (status) {
    case 'available':
    case 'unknown':
      return ''
    case 'skill-inactive':
    case 'changed':
      return fixForSkill(state, surroundings, owner.owner)
    case 'shadowed': {
      const holder = toolTable(state, surroundings).byName.get(claim.name)
      return `Put "${holder?.owner.owner ?? ''}" away, or register this one with onConflict "namespace".`
    }
    case 'disabled':
      return `Switch it on: setToolEnabled("${claim.name}", true).`
    case 'denied':
      return 'Ask the host to change its permissions.'
    case 'blocked-by-mode':
      return `Open the session in mode ${(tool?.modes ?? []).join(' or ')}.`
    case 'budget-spent':
      return isSpent(owner, state.turn)
        ? `Put "${owner.owner}" away and activate it again.`
        : 'Wait for the next turn.'
    case 'unbound':
      return 'Bind a handler: trust the folder it was read from, or register the tool with one.'
    case 'not-exposed':
      return `Add "${claim.name}" to the tools of the agent.`
  }
}
