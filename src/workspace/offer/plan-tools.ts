import type { SessionJournal } from '../commands/session-journal.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { foundTools, hiddenTools, isSentFromStart } from '../../engine/standing/findable-tools.ts'
import { toolTable } from '../../engine/standing/tool-table.ts'
import { isObject } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'
import { sentMessage } from './conversation/place-messages.ts'
import type { OpenConversation } from './conversation/plan-conversation.ts'
import {
  type ExposurePlan,
  type ExposureRequest,
  type ExposureStrategy,
  wantedTools,
} from './exposure/exposure-strategy.ts'
import type { SessionParts } from './session-parts.ts'

/** The tools of one request. */
interface PlannedTools {
  /** In the order they are sent. */
  readonly tools: readonly Tool[]
  /** The same for the log, followed by those that the conversation adds. */
  readonly exposed: readonly ExposedTool[]
  /** Names of deferred tools to which the conversation refers from this step on. */
  readonly references: readonly string[]
  /** Names of the available tools that are left out until a search finds them. */
  readonly hidden: ReadonlySet<string>
}

/** Asks the strategy for the tools of one request. */
export async function planTools(
  state: WorkspaceState,
  parts: SessionParts,
  {
    strategy,
    removes,
    opened,
  }: {
    readonly strategy: ExposureStrategy
    readonly removes: boolean
    /** Absent for a host that does not show its history. */
    readonly opened: OpenConversation | undefined
  },
): Promise<PlannedTools> {
  const request = exposureRequest(state, parts, removes)
  const planned = await withTimeLimit(
    `The exposure strategy "${strategy.name}"`,
    parts.limits.timeoutMs,
    () => strategy.plan(request),
    parts.closing.signal,
  )
  checkPlan(planned, strategy.name)
  const plan = opened ? withoutUnreferred(planned, opened, request) : planned
  const exposed = unlessSame(state.exposed, exposedTools(plan, request))
  // Only deferred tools are referred to.
  const references = plan.deferred.size === 0 ? [] : newReferences(exposed, state)
  return { tools: plan.tools, exposed, references, hidden: request.hidden }
}

/** Checks what a strategy returns: that of a host may be JavaScript. Throws `EXPOSURE_INVALID`. */
function checkPlan(plan: unknown, strategy: string): void {
  const { tools, deferred, offered = [] } = isObject(plan) ? plan : {}
  const members = {
    tools: areTools(tools),
    deferred: deferred instanceof Set,
    offered: areTools(offered),
  }
  for (const [field, isRight] of Object.entries(members)) {
    if (isRight) continue
    const is = field === 'deferred' ? 'a Set of names' : 'a list of tools'
    throw new WorkspaceError(
      'EXPOSURE_INVALID',
      `The plan of the exposure strategy "${strategy}" has no "${field}" that is ${is}.`,
      {
        hint: 'Return { tools, deferred: new Set() } from "plan", with tools of the request.',
        facts: { strategy, field },
      },
    )
  }
}

function areTools(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && 'hash' in one)
}

/**
 * Sends a deferred tool in full when no result refers to it: the host activated its skill, or the result was
 * left out of the history.
 */
function withoutUnreferred(
  plan: ExposurePlan,
  { placed }: OpenConversation,
  request: ExposureRequest,
): ExposurePlan {
  if (plan.deferred.size === 0) return plan
  const referred = new Set(
    placed.flatMap((one) =>
      one.kind === 'history'
        ? (sentMessage(one).results ?? []).flatMap(({ references = [] }) => references)
        : [],
    ),
  )
  const before = referredBefore(request)
  const deferred = [...plan.deferred].filter((name) => !before.has(name) || referred.has(name))
  return { ...plan, deferred: new Set(deferred) }
}

/** Returns the names of the deferred tools to which the conversation referred at the step before. */
function referredBefore({ previous }: ExposureRequest): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { name, referenced } of previous ?? []) if (referenced) names.add(name)
  return names
}

/** Returns everything that a strategy knows about one step. */
function exposureRequest(
  state: WorkspaceState,
  { context }: SessionJournal,
  removes: boolean,
): ExposureRequest {
  const { available, rows } = toolTable(state, context)
  const pinned = new Set<string>()
  for (const row of rows) if (isSentFromStart(row, context)) pinned.add(row.name)
  return {
    available,
    hidden: hiddenTools(state, context),
    found: foundTools(state, context),
    pinned,
    previous: state.exposed,
    removes,
    tool: (hash) => context.tool(hash),
  }
}

/** Returns the tools to log as exposed. A tool that was referred to stays so: the conversation still does. */
function exposedTools(
  { tools, deferred, offered = tools }: ExposurePlan,
  request: ExposureRequest,
): readonly ExposedTool[] {
  const wanted = deferred.size === 0 ? [] : wantedTools(request)
  const referred = new Set([...referredBefore(request), ...wanted.map(({ name }) => name)])
  const sent = tools.map(({ name, hash }): ExposedTool => {
    if (!deferred.has(name)) return { name, hash }
    const referenced = referred.has(name)
    return { name, hash, deferred: true, ...(referenced && { referenced }) }
  })
  if (offered === tools) return sent
  const versions = new Set(offered.map(({ name, hash }) => `${name} ${hash}`))
  const before = new Set(tools.map(({ name, hash }) => `${name} ${hash}`))
  return [
    ...sent.map((one) =>
      versions.has(`${one.name} ${one.hash}`) ? one : { ...one, removed: true as const },
    ),
    ...offered.flatMap(({ name, hash }) =>
      before.has(`${name} ${hash}`) ? [] : { name, hash, added: true as const },
    ),
  ]
}

/** Returns the list of the step before when it has the same: the state then keeps one list, which is frozen already. */
function unlessSame(
  before: readonly ExposedTool[] | null,
  now: readonly ExposedTool[],
): readonly ExposedTool[] {
  const isSame = (one: ExposedTool, at: number) => {
    const other = before?.[at]
    return (
      one.name === other?.name &&
      one.hash === other.hash &&
      one.deferred === other.deferred &&
      one.referenced === other.referenced &&
      one.added === other.added &&
      one.removed === other.removed
    )
  }
  return before?.length === now.length && now.every(isSame) ? before : now
}

function newReferences(exposed: readonly ExposedTool[], state: WorkspaceState): readonly string[] {
  if (exposed === state.exposed) return []
  const before = new Set(
    (state.exposed ?? []).flatMap(({ name, hash, referenced }) =>
      referenced ? `${name} ${hash}` : [],
    ),
  )
  return exposed.flatMap(({ name, hash, referenced }) =>
    referenced && !before.has(`${name} ${hash}`) ? name : [],
  )
}
