import type { CheckedInput } from '../../engine/model/command.ts'
import type { Policy } from '../../engine/model/policy.ts'
import { whereMatches } from '../../engine/standing/where-matches.ts'
import type { InputCheck } from './check-input.ts'

/**
 * A call's checked arguments with what the rules of a policy see in them. Rules look at them as they
 * were given and as the handler will get them, so that no transform of a schema hides anything.
 */
export function inputByPolicy({ input, given, value }: InputCheck, policy: Policy): CheckedInput {
  return input.ok ? { ...input, where: whereMatches(policy, [given, value]) } : input
}
