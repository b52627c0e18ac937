import type { PendingConfirmation } from '../../engine/model/confirmation-state.ts'
import { activeSkills } from '../../engine/standing/skill-standing.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** What `replay --json` prints. */
export interface ReplayReport {
  readonly session: string
  /** How many were folded. */
  readonly entries: number
  /** The last one's number. */
  readonly seq: number
  readonly state: {
    readonly agent: string | null
    readonly mode: string | null
    readonly tokenizer: string | null
    readonly turn: number
    readonly step: number
    /** Keys of the registered components. */
    readonly components: readonly string[]
    /** Tools that were switched off. */
    readonly disabled: readonly string[]
    readonly confirmations: readonly {
      readonly tool: string
      readonly consent: PendingConfirmation['consent']
    }[]
    /** Calls that have not ended. */
    readonly calls: readonly { readonly call: string; readonly tool: string }[]
    readonly used: readonly { readonly tool: string; readonly count: number }[]
    /** Skills whose hook failed after a resume. */
    readonly broken: readonly string[]
  }
  readonly skills: readonly string[]
  readonly tools: readonly string[]
}

/** Where a session stands. */
export function replayReport(workspace: VirtualWorkspace): ReplayReport {
  const { session, state } = workspace
  const { opening, policy, turn, step, components, disabled, confirmations, calls, used, broken } =
    state
  return {
    session,
    entries: state.seq + 1,
    seq: state.seq,
    state: {
      agent: opening?.agent ?? null,
      mode: opening === null ? null : policy.mode,
      tokenizer: opening?.tokenizer ?? null,
      turn,
      step,
      components: components.map(({ key }) => key),
      disabled: disabled.map(({ tool }) => tool),
      confirmations: confirmations.map(({ tool, consent }) => ({ tool, consent })),
      calls: calls.map(({ call, tool }) => ({ call, tool })),
      used: used.map(({ tool, count }) => ({ tool, count })),
      broken: broken.map(({ skill }) => skill),
    },
    skills: activeSkills(state),
    tools: workspace.getAvailableTools().map(({ name }) => name),
  }
}
