import { canonicalJson } from '../../kernel/canonical-json.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { Refusal } from './decision.ts'

/** The most one component's state may take, in characters of JSON: it goes into every entry. */
const COMPONENT_STATE_LIMIT = 65_536

/**
 * A copy of a component's state that nobody else holds, with nothing JSON would lose: what
 * replay will find. Null when it is too large.
 */
export function statePlainCopy(state: JsonValue): { readonly state: JsonValue } | null {
  const text = canonicalJson(state)
  return text.length <= COMPONENT_STATE_LIMIT ? { state: JSON.parse(text) as JsonValue } : null
}

export function stateTooLarge(component: string): Refusal {
  return {
    code: 'state-too-large',
    message: `The state of the component "${component}" is over ${COMPONENT_STATE_LIMIT} characters of JSON.`,
    hint: 'Keep large data in a service and only its name in the state.',
    facts: { component, limit: COMPONENT_STATE_LIMIT },
  }
}
