import type { Rule } from './violation.ts'

/** A violation before its offset is turned into a line. */
export interface Finding {
  readonly at: number
  readonly rule: Rule
  readonly message: string
}

export function finding(at: number, rule: Rule, message: string): Finding {
  return { at, rule, message }
}
