import { accepted, type Decision, UNCHANGED } from './decision.ts'
import type { CommandOf, Order } from '../model/command.ts'
import {
  DEFAULT_KEEPING,
  type FoundKeeping,
  type FoundToolState,
} from '../model/discovery-event.ts'
import { requestMade } from '../model/step-call.ts'
import { allConfirmations } from '../model/consent-event.ts'
import type { EngineContext } from '../model/engine-context.ts'
import type { EventOf, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { hasEnded } from '../standing/ended-lifetimes.ts'
import { hiddenTools } from '../standing/findable-tools.ts'
import { isExpired } from '../standing/remembered-approval.ts'
import { toolTable } from '../standing/tool-table.ts'

/** Found tools that are evicted for one reason. */
interface Eviction {
  readonly reason: EventOf<'tools_evicted'>['reason']
  readonly tools: readonly FoundToolState[]
}

/**
 * Begins a turn. Confirmations past their time expire, and found tools past theirs are evicted.
 * Skills whose lifetime ends have hooks to run, so each leaves by a command of its own.
 */
export function decideTurn(state: WorkspaceState, order: Order, context: EngineContext): Decision {
  const turn = state.turn + 1
  const keep = context.discovery?.keep ?? DEFAULT_KEEPING
  return accepted(
    order,
    ...allConfirmations(state)
      .filter((one) => isExpired(one, order))
      .map(({ id }) => ({ type: 'confirmation.expired' as const, id })),
    { type: 'turn.begun', turn },
    ...evictionEvents(overdueTools(state.found, turn, keep), state, context),
  )
}

/** Returns the found tools whose time is over when a turn begins. */
function overdueTools(
  found: readonly FoundToolState[],
  turn: number,
  { turns, idleTurns }: FoundKeeping,
): readonly Eviction[] {
  const old = found.filter((one) => turns !== undefined && hasEnded({ turns }, one, turn))
  const idle = found.filter(
    (one) =>
      idleTurns !== undefined && !old.includes(one) && hasEnded({ idle: idleTurns }, one, turn),
  )
  return [
    { reason: 'turns' as const, tools: old },
    { reason: 'idle' as const, tools: idle },
  ].filter(({ tools }) => tools.length > 0)
}

/**
 * Returns the events that evict found tools, each with its price. A tool that is also exposed for
 * another reason, because its skill is active or it is pinned, stays in the request.
 */
export function evictionEvents(
  evictions: readonly Eviction[],
  state: WorkspaceState,
  context: EngineContext,
): readonly WorkspaceEvent[] {
  if (evictions.length === 0) return []
  const hidden = hiddenTools(state, context)
  const { byName } = toolTable(state, context)
  return evictions.map(({ reason, tools }) => {
    const names = tools.map(({ name }) => name)
    const leaving = names.filter((name) => hidden.has(name) || !byName.has(name))
    const price = context.priceOf?.(leaving, state) ?? { tokensFreed: 0, prefixLost: 0 }
    return { type: 'tools_evicted', tools: names, reason, ...price }
  })
}

/**
 * Returns the found tools over the cap: those used least recently, and of one search the later
 * ones.
 */
export function toolsOverCap(
  found: readonly FoundToolState[],
  { cap }: FoundKeeping,
): readonly Eviction[] {
  if (found.length <= cap) return []
  const places = new Map(found.map((one, index) => [one, index]))
  const tools = found
    .toSorted((a, b) => a.lastSeq - b.lastSeq || (places.get(b) ?? 0) - (places.get(a) ?? 0))
    .slice(0, found.length - cap)
  return [{ reason: 'cap', tools }]
}

/** Begins a step. One whose request was made before in its turn is an attempt at that one. */
export function decideStep(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'step.begin'>,
): Decision {
  const { type: _, ...begun } = command
  const { conversation: { history } = {}, run, cost } = begun
  const made = history === undefined ? undefined : requestMade(state.stepCalls, history, run)
  const step = {
    type: 'step.begun' as const,
    step: state.step + 1,
    ...begun,
    ...attemptAfter(made),
  }
  const { provider, tooMany } = cost ?? {}
  // Given once, and again after a request that had fewer.
  if (!tooMany || state.cost?.tooMany) return accepted(order, step)
  const warning = {
    type: 'warning.given' as const,
    code: 'too-many-tools',
    subject: String(provider),
    message: `The request has ${tooMany.tools} tools, and ${provider} takes at most ${tooMany.most}: it refuses a request with more.`,
    hint: 'Set "discovery", so that tools are found by search or called with call_tool; or switch tools off, or let skills bring them.',
  }
  return accepted(order, warning, step)
}

/** Keeps the first answer to a request, whichever process gave it, or resumes a step that has one. */
export function decideAnswer(
  state: WorkspaceState,
  order: Order,
  command: CommandOf<'step.answer' | 'step.repeat'>,
): Decision {
  const { history, run } = command
  const made = requestMade(state.stepCalls, history, run)
  if (command.type === 'step.answer') {
    if (made?.answer !== undefined) return UNCHANGED
    const { type: _, ...answer } = command
    return accepted(order, { type: 'step.answered', step: made?.step ?? state.step, ...answer })
  }
  const { attempt } = attemptAfter(made)
  if (made?.answer === undefined || attempt === undefined) return UNCHANGED
  return accepted(order, { type: 'step.repeated', history, ...(run && { run }), attempt })
}

/** Returns the attempt that follows those at a request; nothing for a request that was not made before. */
function attemptAfter(made: ReturnType<typeof requestMade>) {
  if (made?.step === undefined) return {}
  return { attempt: { number: (made.attempts ?? 1) + 1, step: made.step } }
}
