import type { PendingConfirmation } from '../../engine/state.ts'
import { contentHash } from '../../kernel/content-hash.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { isObject } from './is-object.ts'

/** The question a person was, or is to be, asked about a call of these very arguments. */
export function confirmationOf(
  { state }: VirtualWorkspace,
  tool: string,
  input: unknown,
): PendingConfirmation | undefined {
  if (state.confirmations.length === 0) return undefined
  const target = targetOf(tool, input)
  const digest = digestOf(target.input)
  return state.confirmations.find((one) => one.tool === target.tool && one.digest === digest)
}

/** The tool that is really called, and with what: `call_tool` calls another one. */
export function targetOf(tool: string, input: unknown): { tool: string; input: unknown } {
  if (tool !== 'call_tool' || !isObject(input)) return { tool, input }
  const { name, arguments: given = {} } = input
  return typeof name === 'string' ? { tool: name, input: given } : { tool, input }
}

/** Null for what has no canonical form; the pipeline refuses such arguments. */
function digestOf(input: unknown): ContentHash | null {
  try {
    return contentHash(input ?? null)
  } catch {
    return null
  }
}
