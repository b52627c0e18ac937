import { revocableTools } from '../../engine/decide/decide-consent.ts'
import type { ApprovalScope, PendingConfirmation } from '../../engine/model/consent-event.ts'
import type { EngineContext } from '../../engine/model/engine-context.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { assess } from '../../engine/standing/assess.ts'
import { skillLoadedByCall } from '../../engine/standing/findable-tools.ts'
import { permissionOf } from '../../engine/standing/permission.ts'
import { rememberedApproval } from '../../engine/standing/remembered-approval.ts'
import { asksFirst } from '../../engine/standing/tool-status.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CallPipelineParts } from './call-pipeline-parts.ts'
import { checkInput, matchPolicyRules } from './check-input.ts'
import type { CommandOptions, Outcome } from '../commands/outcome.ts'
import type { Clock } from '../log/clock.ts'

/** How a call is approved; for this one call by default. */
export interface ApproveOptions extends CommandOptions {
  readonly remember?: ApprovalScope
}

/** Record an approval, and keep one that holds beyond the session. */
export async function approve(
  { dispatcher, store, approvals }: CallPipelineParts,
  id: string,
  { by = 'host', remember = 'call' }: ApproveOptions = {},
): Promise<Outcome> {
  if (remember === 'digest' && approvals === undefined) throw approvalsNotKept()
  const kept = remember === 'call' ? {} : { remember }
  const outcome = await dispatcher.dispatch({ type: 'confirmation.approve', id, ...kept }, { by })
  if (!outcome.ok || remember !== 'digest' || approvals === undefined) return outcome
  const { state } = store.getState()
  const given = state.approvals.find(({ seq }) => seq === outcome.seq)
  // Taken back in the meantime: then it must not be found anywhere.
  if (given === undefined) return outcome
  const { source, owner, tool, hash } = given
  try {
    await approvals.put({ principal: state.opening?.principal ?? null, source, owner, tool, hash })
  } catch (problem) {
    throw approvalNotKept(tool, problem)
  }
  return outcome
}

function approvalsNotKept(): WorkspaceError {
  return new WorkspaceError('APPROVALS_NOT_KEPT', 'Approvals are not kept beyond this session.', {
    hint: 'Open the workspace with an approval store (approvals), or remember it for the session.',
  })
}

function approvalNotKept(tool: string, cause: unknown): WorkspaceError {
  return new WorkspaceError('APPROVAL_NOT_KEPT', `The approval of "${tool}" could not be stored.`, {
    hint: 'This very call may run; the next one is asked about again.',
    facts: { tool },
    cause,
  })
}

/**
 * Take the approvals of a tool back: in the store first, so that a failure there leaves everything as
 * it was, and is told by rejecting.
 */
export async function revokeApproval(
  { dispatcher, store, surroundings, approvals }: CallPipelineParts,
  tool: string,
  { by = 'host' }: CommandOptions = {},
): Promise<Outcome> {
  const { state } = store.getState()
  const principal = state.opening?.principal ?? null
  let stored = false
  if (approvals !== undefined) {
    for (const one of revocableTools(state, surroundings, tool)) {
      stored = (await approvals.remove({ ...one, principal })) || stored
    }
  }
  return dispatcher.dispatch({ type: 'approval.revoke', tool, stored }, { by })
}

/**
 * Whether a call would be asked about, were it made now. Writes nothing, and answers false for one that
 * would be refused for another reason.
 */
export async function asksAbout(
  { store, surroundings, limits }: CallPipelineParts,
  address: string,
  input: unknown,
): Promise<boolean> {
  const called = toolAt(address, store.getState().state, surroundings)
  if (called === null) return false
  const checked = await checkInput(called.tool, input, limits.timeoutMs)
  // What the rules are may have changed while the arguments were checked.
  const { state } = store.getState()
  const judged = matchPolicyRules(checked, state.policy)
  if (!judged.ok) return false
  const { effect } = permissionOf(called, state, surroundings, judged.where ?? null)
  return asksFirst(effect, called.tool) && rememberedApproval(called, state) === undefined
}

/** The tool that a call would run: one that is available, or one whose call loads its skill. */
function toolAt(address: string, state: WorkspaceState, surroundings: EngineContext) {
  const standing = assess(state, surroundings, address)
  if (standing.kind === 'registered') {
    const { claim, owner, tool, status } = standing.row
    return tool === undefined || status !== 'available' ? null : { claim, owner, tool }
  }
  const loading = skillLoadedByCall(state, surroundings, address)
  if (loading === null) return null
  const { skill, found } = loading
  const brought = surroundings.catalog.skillTools.get(skill)
  const tool = brought?.find((one) => one.tool.hash === found.hash)?.tool
  if (tool === undefined) return null
  const claim = { name: found.name, definedAs: tool.name, hash: tool.hash }
  return { claim, owner: { source: 'skill' as const, owner: skill }, tool }
}

/** Shared: most sessions wait for nobody. */
const NONE: ReadonlyMap<string, number> = new Map()

/**
 * How long each confirmation has left by the clock that never goes back. The wall clock, which a person
 * may set, is not enough to say that one still holds; that it says one is over is (`isExpired`).
 */
export class ConfirmationTimes {
  readonly #clock: Clock
  #noted: readonly PendingConfirmation[] = []
  #deadlines: ReadonlyMap<string, number> = NONE

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** See the confirmations of a new state, as soon as it is there. */
  note({ confirmations, latestAt }: Pick<WorkspaceState, 'confirmations' | 'latestAt'>): void {
    if (confirmations === this.#noted) return
    this.#noted = confirmations
    if (confirmations.length === 0) {
      this.#deadlines = NONE
      return
    }
    const known = this.#deadlines
    this.#deadlines = new Map(
      confirmations.map((one) => [one.id, known.get(one.id) ?? this.#deadlineOf(one, latestAt)]),
    )
  }

  /** The ids of those that are over. */
  outlived(): readonly string[] {
    if (this.#deadlines.size === 0) return []
    const now = this.#clock.monotonic()
    return [...this.#deadlines].flatMap(([id, deadline]) => (now >= deadline ? [id] : []))
  }

  /** What was over by the latest entry stays over, though the clock says an earlier time now. */
  #deadlineOf({ expiresAt }: PendingConfirmation, latestAt: number): number {
    return this.#clock.monotonic() + expiresAt - Math.max(this.#clock.now(), latestAt)
  }
}
