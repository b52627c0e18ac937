import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { describeQuestion } from '../../../entries/kit.ts'
import { findConfirmation } from '../../../workspace/calls/find-confirmation.ts'
import type { LangChainCall } from './lang-chain-form.ts'

/** Stops a run of LangGraph until a person answers, and returns the answer when it goes on. */
export type Interrupt = (value: unknown) => unknown

/** A person's answer about one call, as LangChain's `humanInTheLoopMiddleware` has it. */
type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'reject'; readonly message?: string }
  | { readonly type: 'edit'; readonly editedAction: { readonly args: Record<string, never> } }

const ALLOWED = ['approve', 'edit', 'reject'] as const

/** A call, and the question about it. */
export interface AskedCall {
  readonly call: Pick<LangChainCall, 'name' | 'args'>
  /** The id of its confirmation. */
  readonly confirmation: string
  /** True for a question that has its answer: a run that goes on again comes here with the decisions of all. */
  readonly isAnswered: boolean
}

/** Returns the calls of an answer that a person has to approve or has decided about, and records the questions. */
export async function askedCalls(
  workspace: VirtualWorkspace,
  calls: readonly LangChainCall[],
): Promise<readonly AskedCall[]> {
  const asked: AskedCall[] = []
  for (const call of calls) {
    const { id, name, args } = call
    const options = { caller: 'model', ...(id !== undefined && { call: id }) } as const
    const open = await workspace.approvals.ask(name, args, options)
    const confirmation = open ?? findConfirmation(workspace, name, args)?.id
    if (confirmation !== undefined) asked.push({ call, confirmation, isAnswered: open === null })
  }
  return asked
}

/**
 * Asks a person about all calls at once, by an interrupt, and records the answers. A run that goes on comes here again:
 * then the interrupt returns the person's answer.
 */
export async function interruptRun(
  workspace: VirtualWorkspace,
  asked: readonly AskedCall[],
  interrupt: Interrupt | undefined,
): Promise<void> {
  const open = asked.filter(({ isAnswered }) => !isAnswered)
  if (open.length === 0 || interrupt === undefined) return
  const questions = new Map(workspace.state.confirmations.map((one) => [one.id, one]))
  const answer = interrupt({
    actionRequests: open.map(({ call: { name, args }, confirmation }) => {
      const question = questions.get(confirmation)
      const why = question === undefined ? '' : describeQuestion(question)
      return { name, args, description: why || `"${name}" runs after your approval.` }
    }),
    reviewConfigs: open.map(({ call }) => ({ actionName: call.name, allowedDecisions: ALLOWED })),
  }) as { readonly decisions?: readonly Decision[] } | undefined
  const decisions = answer?.decisions ?? []
  const decided = decisions.length === open.length ? open : asked
  if (decisions.length !== decided.length) {
    const counts = { asked: open.length, given: decisions.length }
    throw new WorkspaceError('ANSWER_INVALID', 'Each call that was asked about needs a decision.', {
      facts: counts,
      hint: `Resume with ${counts.asked}: new Command({ resume: { decisions: [{ type: 'approve' }] } }).`,
    })
  }
  for (const [at, { confirmation, call, isAnswered }] of decided.entries()) {
    if (!isAnswered) await record(workspace, confirmation, call.name, decisions[at] as Decision)
  }
}

async function record(
  workspace: VirtualWorkspace,
  confirmation: string,
  tool: string,
  decision: Decision,
): Promise<void> {
  switch (decision.type) {
    case 'approve':
      await workspace.approve(confirmation)
      return
    case 'edit':
      await workspace.approve(confirmation, { input: decision.editedAction.args })
      return
    case 'reject': {
      const { message } = decision
      await workspace.deny(confirmation, message === undefined ? {} : { reason: message })
      return
    }
    default:
      throw new WorkspaceError('ANSWER_INVALID', `The decision about "${tool}" is unknown.`, {
        facts: { tool, decision },
        hint: 'Its type is "approve", "edit" or "reject".',
      })
  }
}
