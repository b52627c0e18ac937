import { contentHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CheckedInput } from '../../engine/command.ts'
import type { Tool } from '../../registry/tool.ts'
import { limited } from '../limited.ts'
import { thrownMessage } from '../handler/thrown-message.ts'

/** A call's input as the gate wants it, and as the handler will get it. */
export interface InputCheck {
  readonly input: CheckedInput
  readonly value: unknown
}

/**
 * Check a call's arguments. The digest that consent is bound to is of the arguments as they
 * were given, before the schema's own transforms. A check that hangs ends at the time limit.
 */
export async function checkInput(
  tool: Tool | undefined,
  given: unknown,
  timeoutMs: number,
): Promise<InputCheck> {
  try {
    const digest = contentHash(given ?? null)
    const parsed = tool
      ? await limited('The check', timeoutMs, () => tool.parseInput(given))
      : { ok: true as const, value: given }
    return parsed.ok
      ? { input: { ok: true, digest }, value: parsed.value }
      : { input: { ok: false, issues: parsed.issues }, value: undefined }
  } catch (error) {
    const message = WorkspaceError.is(error)
      ? error.message
      : `the arguments could not be checked: ${thrownMessage(error)}`
    return { input: { ok: false, issues: [{ path: '', message }] }, value: undefined }
  }
}
