import type { Reason } from '../../engine/explain/reason.ts'
import { listingAddress } from '../../engine/standing/listing-address.ts'
import type { ToolSource } from '../../engine/model/tool-source.ts'
import type { ToolStatus } from '../../engine/standing/status.ts'
import { definitionTokens } from '../../render/prompt/ledger/token-prices.ts'
import type { OpenSession } from '../opening/open-session.ts'

/** One element of `tools --json`. */
export interface ToolReport {
  readonly name: string
  readonly source: ToolSource
  readonly owner: string
  readonly status: ToolStatus
  /** In the last step of the session; before the first, what a step would put before the model. */
  readonly exposed: boolean
  readonly available: boolean
  readonly asks: boolean
  /** What its definition costs in a request. */
  readonly tokens: number
  readonly because: readonly Reason[]
}

/** Every tool of a session, those of inactive skills too. */
export function toolReports({
  workspace,
  counter,
}: Pick<OpenSession, 'workspace' | 'counter'>): readonly ToolReport[] {
  const { exposed } = workspace.state
  const shown = exposed && new Set(exposed.map(({ name, hash }) => `${name} ${hash}`))
  return workspace.tools().map((listing) => {
    const { name, source, owner, status, asks, tool } = listing
    const available = status === 'available'
    return {
      name,
      source,
      owner,
      status,
      exposed: shown === null ? available : shown.has(`${name} ${tool?.hash}`),
      available,
      asks,
      tokens: tool === undefined ? 0 : definitionTokens(tool, counter, name),
      because: workspace.explain(listingAddress(listing)).because,
    }
  })
}
