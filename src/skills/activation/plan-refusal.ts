/** Why a plan cannot be made, for a person or model to read and a program to act on. */
export interface PlanRefusal<Code extends string> {
  readonly ok: false
  readonly code: Code
  readonly message: string
  /** What would make it possible. */
  readonly hint: string
  readonly facts: Readonly<Record<string, unknown>>
}
