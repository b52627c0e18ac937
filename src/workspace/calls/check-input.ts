import type { CheckedInput } from '../../engine/model/command.ts'
import type { Policy } from '../../engine/model/policy.ts'
import { whereMatches } from '../../engine/standing/where-matches.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'
import { textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import { thrownMessage } from '../commands/thrown-message.ts'
import { withTimeLimit } from '../commands/with-time-limit.ts'

/** A call's input as the gate wants it, and as the handler will get it. */
interface InputCheck {
  readonly input: CheckedInput
  /** A copy of what was given, which nobody can change any more between the check and the run. */
  readonly given: unknown
  readonly value: unknown
}

/**
 * Check a call's arguments. The digest that consent is bound to is of the arguments as they
 * were given, before the schema's own transforms. A check that hangs ends at the time limit.
 */
export async function checkInput(
  tool: Tool | undefined,
  original: unknown,
  timeoutMs: number,
): Promise<InputCheck> {
  try {
    const text = canonicalJson(original ?? null)
    const digest = textHash(text)
    const given: unknown = original === undefined ? undefined : JSON.parse(text)
    const parsed = tool
      ? await withTimeLimit('The check', timeoutMs, () => tool.parseInput(given))
      : { ok: true as const, value: given }
    return parsed.ok
      ? { input: { ok: true, digest }, given, value: parsed.value }
      : { input: { ok: false, issues: parsed.issues }, given, value: undefined }
  } catch (error) {
    const message = WorkspaceError.is(error)
      ? error.message
      : `the arguments could not be checked: ${thrownMessage(error)}`
    const input = { ok: false as const, issues: [{ path: '', message }] }
    return { input, given: undefined, value: undefined }
  }
}

/**
 * A call's checked arguments with what the rules of a policy see in them. Rules look at them as they
 * were given and as the handler will get them, so that no transform of a schema hides anything.
 */
export function matchPolicyRules(
  { input, given, value }: InputCheck,
  policy: Policy,
): CheckedInput {
  return input.ok ? { ...input, where: whereMatches(policy, [given, value]) } : input
}
