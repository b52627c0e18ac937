import type { EngineContext } from '../model/engine-context.ts'
import type { Policy } from '../model/policy.ts'
import type { ExhaustedBudget } from '../model/child-event.ts'
import { isMeta, type OpenClaim, type OpenSource } from '../model/source-event.ts'
import { EMPTY_STATE, type WorkspaceState } from '../model/workspace-state.ts'
import { skillHasChanged } from './assess-skill.ts'
import { isLifetimeOver } from './ended-lifetimes.ts'
import { type Permission, permissionOf, policyChain } from './permission.ts'
import type { HeldClaim } from './place-claims.ts'
import { rememberedApproval, violatedPin } from './remembered-approval.ts'
import { sameItems } from '../../kernel/identity-memo.ts'
import { entryAgainst } from '../../skills/tool-of-client.ts'
import { isBound } from '../../tools/definition/make-tool.ts'
import { matchesTool } from '../../tools/definition/matches-tool.ts'
import type { Tool, ToolCategory } from '../../tools/definition/tool.ts'
import { withheldChanges, withheldReason } from '../../tools/definition/guard-handler.ts'

/** The status of a tool: `available`, or the first reason it cannot be called now. */
export type ToolStatus =
  | 'available'
  | 'not-exposed'
  | 'skill-inactive'
  | 'disabled'
  | 'denied'
  | 'blocked-by-mode'
  | 'budget-spent'
  /** Its owner's definition differs from the one the session activated: it is in quarantine. */
  | 'changed'
  /** No handler in this process. */
  | 'unbound'
  /** Its owner, such as a server, no longer has it, or has left. */
  | 'gone'
  /** Its owner has it, and a provider or the workspace cannot take it. */
  | 'left-out'
  /** Another owner's tool has this name. */
  | 'shadowed'
  | 'unknown'

/** The status of a tool, and what it follows from. */
export interface ToolJudgement {
  readonly status: ToolStatus
  /** It is available, and a person is asked before a call of the model runs. */
  readonly asks: boolean
  /** The permission of the policy, except by its rules about arguments; null for one that it was not asked about. */
  readonly permission: Permission | null
}

/**
 * Judges one registered claim. The reasons are checked in the order in which a person would have to
 * fix them: the name, then the definition, then permissions and limits.
 *
 * @param wins the claim has its name
 */
export function judgeTool(
  { source, claim }: HeldClaim,
  wins: boolean,
  tool: Tool | undefined,
  state: WorkspaceState,
  context: EngineContext,
): ToolJudgement {
  if (!wins) return no('shadowed')
  if (source.source === 'skill') {
    if (skillHasChanged(source, context.catalog)) return no('changed')
    if (state.broken.some(({ skill }) => skill === source.owner)) return no('skill-inactive')
  }
  const held = { owner: source, claim }
  if (violatedPin(held, state) !== undefined) return no('changed')
  const bound = context.handlers === 'here' ? mayRun(tool) : claim.bound
  const isOver = isLifetimeOver(source, state.turn)
  const judgement = judgeAllowed({ claim, owner: source, tool, bound, isOver }, state, context)
  return judgement.asks && rememberedApproval(held, state) !== undefined
    ? { ...judgement, asks: false }
    : judgement
}

/** Judges a tool as if the skill that brings it were active and the tool had its name. */
export function judgeInactiveTool(
  tool: Tool,
  skill: string,
  state: WorkspaceState,
  context: EngineContext,
) {
  const { name, nameOnServer, hash } = tool
  const { skillTools, servers } = context.catalog
  const brought = skillTools.get(skill)?.find((one) => one.tool.hash === hash)
  const server = servers?.get(brought?.server ?? '')
  const bound = context.handlers === 'recorded' || mayRun(tool) || server !== undefined
  const owner =
    server === undefined
      ? { source: 'skill' as const, owner: skill }
      : { source: 'server' as const, owner: server.name }
  const trusted = server?.trusted === false ? { trusted: false as const } : {}
  const named = nameOnServer === undefined ? {} : { nameOnServer }
  const claim = { name, definedAs: name, hash, ...named, ...trusted }
  const judgement = judgeAllowed({ claim, owner, tool, bound, isOver: false }, state, context)
  return { claim, owner, tool, ...judgement }
}

/** Returns true for a tool with a handler that is not withheld. */
function mayRun(tool: Tool | undefined): boolean {
  return isBound(tool) && withheldReason(tool) === null
}

/** A tool that has its name and an accepted definition. */
interface AllowedFacts {
  readonly claim: Pick<OpenClaim, 'name' | 'definedAs' | 'nameOnServer' | 'trusted'>
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly tool: Tool | undefined
  /** It has a handler. */
  readonly bound: boolean
  /** The lifetime of its source is over. */
  readonly isOver: boolean
}

/** Judges a tool by the host's policy, the mode, the budgets and the agent. */
function judgeAllowed(
  facts: AllowedFacts,
  state: WorkspaceState,
  context: EngineContext,
): ToolJudgement {
  const { claim, owner, tool, bound, isOver } = facts
  const { disabled, policy } = state
  const meta = isMeta(owner)
  if (disabled.some((one) => one.tool === claim.name)) return no('disabled')
  const permission = permissionOf(facts, state, context, null)
  if (permission.effect === 'deny') return no('denied', permission)
  if (blockingPolicy(policy, facts) !== null) return no('blocked-by-mode')
  if (isOver) return no('budget-spent')
  if (tool && !meta && exhaustedBudget(tool.category, state) !== null) return no('budget-spent')
  if (tool === undefined || !bound) return no('unbound')
  const { tools: patterns, disallowedTools } = context.agent ?? {}
  // An agent picks tools by the name that a session has for them.
  const named = { ...claim, definedAs: claim.name }
  if (patterns && !meta && !patterns.some((one) => matchesTool(one, named, owner))) {
    return no('not-exposed')
  }
  if (!meta && disallowedTools && entryAgainst(disallowedTools, claim, owner)) {
    return no('not-exposed')
  }
  if (state.activeTools && !state.activeTools.names.includes(claim.name)) return no('not-exposed')
  return { status: 'available', asks: asksFirst(permission, tool), permission }
}

/** Returns the first policy of a session, or of those above it, whose mode a tool is not for; null for none. */
export function blockingPolicy(
  policy: Policy,
  { claim, owner, tool }: Pick<AllowedFacts, 'claim' | 'owner' | 'tool'>,
): Policy | null {
  const blocks = ({ mode, limits }: Policy) => {
    if (tool?.modes !== undefined && !tool.modes.includes(mode)) return true
    if (limits.tools === undefined || isMeta(owner)) return false
    return !limits.tools.some((one) => matchesTool(one, claim, owner))
  }
  return policyChain(policy).find(blocks) ?? null
}

function no(status: ToolStatus, permission: Permission | null = null): ToolJudgement {
  return { status, asks: false, permission }
}

/**
 * Returns true when a person is asked before a tool, or one call of it, runs; denied tools aside. A
 * model's calls of a destructive tool are asked about, unless a rule of the host allows them.
 *
 * @param byModel false for a call by the host or by a person
 */
export function asksFirst(
  { effect, by }: Permission,
  { requiresConfirmation, risk }: Pick<Tool, 'requiresConfirmation' | 'risk'>,
  byModel = true,
): boolean {
  if (effect === 'ask') return true
  if (effect === 'allow' && by === 'host') return false
  return (risk === 'destructive' && byModel) || (effect === null && requiresConfirmation)
}

type Budget = Pick<WorkspaceState, 'policy' | 'callsThisTurn' | 'callsInSession' | 'spentAbove'>

export const CATEGORIES = ['retrieval', 'action', 'utility'] as const

/** Returns the widest budget without a call of a category left; null when calls are left. */
export function exhaustedBudget(
  category: ToolCategory,
  { policy: { limits }, callsThisTurn, callsInSession, spentAbove }: Budget,
): ExhaustedBudget | null {
  const { callsInSession: ofSession, calls: ofTurn, callsPerTurn } = limits
  if (ofSession !== undefined && callsInSession >= ofSession) {
    return { of: 'session', limit: ofSession }
  }
  const { retrieval, action, utility } = callsThisTurn
  const inTurn = retrieval + action + utility
  if (ofTurn !== undefined && inTurn >= ofTurn) return { of: 'turn', limit: ofTurn }
  const limit = callsPerTurn[category]
  if (limit !== undefined && callsThisTurn[category] >= limit) return { of: category, limit }
  return spentAbove?.find(({ category: one }) => one === category)?.budget ?? null
}

/**
 * Returns when a tool can be called: now, or in the next turn, which has new budgets; null when the
 * next turn does not help.
 *
 * @param status the status of the tool in the state
 * @param judgeIn judges the tool in another state
 */
export function whenCallable(
  status: ToolStatus,
  state: WorkspaceState,
  judgeIn: (state: WorkspaceState) => ToolJudgement,
): 'now' | 'next-turn' | null {
  if (status === 'available') return 'now'
  if (status !== 'budget-spent') return null
  const { callsThisTurn } = EMPTY_STATE
  return judgeIn({ ...state, callsThisTurn }).status === 'available' ? 'next-turn' : null
}

/**
 * Returns everything in a state that the status of tools follows from. A call changes none of it,
 * except the first call of a turn and one that uses a budget or a lifetime up; a turn and a step change
 * none either, except those at which a lifetime is over or a budget is new.
 */
export function statusFacts(state: WorkspaceState): readonly unknown[] {
  const { open, disabled, broken, policy, turn, approvals, pins, activeTools } = state
  // Texts, since they change with the last call of a budget and the last turn of a lifetime, not with each one.
  let spent = ''
  for (const category of CATEGORIES) spent += `${exhaustedBudget(category, state)?.of ?? ''} `
  let over = ''
  for (const [at, source] of open.entries()) if (isLifetimeOver(source, turn)) over += `${at} `
  return [open, disabled, broken, policy, over, approvals, pins, activeTools, spent]
}

/**
 * Returns a memo with the latest value for each context, kept while its facts, its catalog and the functions of
 * its rules are the same objects, and the same handlers are withheld. The facts are read once for each state.
 */
export function memoByFacts<Value>(): (
  context: EngineContext,
  state: WorkspaceState,
  factsOf: (state: WorkspaceState) => readonly unknown[],
  compute: () => Value,
) => Value {
  interface Latest extends Pick<EngineContext, 'catalog' | 'functions'> {
    readonly state: WorkspaceState
    readonly facts: readonly unknown[]
    readonly withheld: number
    readonly value: Value
  }
  const latest = new WeakMap<EngineContext, Latest>()
  return (context, state, factsOf, compute) => {
    const { catalog, functions } = context
    const known = latest.get(context)
    const withheld = withheldChanges()
    const isCurrent =
      known?.catalog === catalog && known.functions === functions && known.withheld === withheld
    if (isCurrent && known.state === state) return known.value
    const facts = factsOf(state)
    const isSame = isCurrent && sameItems(known.facts, facts)
    const value = isSame ? known.value : compute()
    latest.set(context, { catalog, ...(functions && { functions }), state, facts, withheld, value })
    return value
  }
}
