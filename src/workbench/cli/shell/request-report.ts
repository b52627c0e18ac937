import type { StepPreview, VirtualWorkspace } from '../../../entries/index.ts'
import { sanitiseLine, truncateToWidth } from '../../../entries/kit.ts'
import {
  keptText,
  requestPartsText,
  requestText,
  requestTokens,
  sentWithText,
  type StepCost,
} from '../../../entries/plan.ts'
import type { CliContext } from './cli-context.ts'

/** The price of the next request, as JSON has it in every command. */
export interface RequestReport extends Pick<
  StepCost,
  'provider' | 'tokens' | 'deferred' | 'previous' | 'kept' | 'lost' | 'price' | 'changed'
> {
  readonly strategy: string
  readonly tokenizer: string
  /** The tokens of its parts together. */
  readonly total: number
}

/** Returns the price of a previewed request. */
export function requestReport(
  { cost, exposure: { strategy } }: StepPreview,
  tokenizer: string,
): RequestReport {
  const { provider, tokens, deferred, previous, kept, lost, price, changed } = cost
  const facts = { provider, strategy, tokenizer, total: requestTokens(cost), tokens, deferred }
  return { ...facts, previous, kept, lost, price, changed }
}

/** Writes the price of a previewed request on one line. */
export function requestLine(next: StepPreview, tokenizer: string): string {
  const total = `${requestText(next)} tokens = ${requestPartsText(next.cost)}`
  return sanitiseLine(`${total} (${sentWithText(next)}, ${tokenizer}), ${keptText(next.cost)}`)
}

/** Prints the price of the next request of a session. On a terminal, a line that is too long is cut. */
export async function writeNextRequest(
  workspace: VirtualWorkspace,
  { stdout, isTerminal, columns }: Pick<CliContext, 'stdout' | 'isTerminal' | 'columns'>,
): Promise<void> {
  const { nextRequest } = await import('../../../entries/plan.ts')
  const line = requestLine(await nextRequest(workspace), workspace.figures.tokenizer)
  stdout.write(`${isTerminal ? truncateToWidth(line, columns) : line}\n`)
}
