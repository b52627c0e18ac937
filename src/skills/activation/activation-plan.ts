import type { PlanRefusal } from './plan-refusal.ts'
import type { Skill } from '../definition/skill.ts'

/** What `planActivation` decides from. */
export interface ActivationRequest {
  /** A skill that exists and is not active. */
  readonly wanted: string
  readonly skills: ReadonlyMap<string, Skill>
  /** Active skills in the order they were activated. */
  readonly active: readonly string[]
  /** Whether the agent may load a skill. */
  permitted(name: string): boolean
  /** The agent has at most one skill, with its requirements, active at a time. */
  readonly exclusiveAgent: boolean
  /** Put conflicting active skills away instead of refusing. */
  readonly replace: boolean
  /** False for an active skill that only a requirement brought; without it, all were asked for. */
  requested?(name: string): boolean
}

/** Why an active skill has to make room. */
export type LeaveReason = 'exclusive' | 'conflict'

/** Who enters and who leaves, in order. */
export interface ActivationSteps {
  readonly ok: true
  /** Requirements first; `of` is the skill that needs it, null for the wanted one. */
  readonly enter: readonly { readonly skill: string; readonly of: string | null }[]
  /** The latest activated first, each before what it requires. */
  readonly leave: readonly { readonly skill: string; readonly because: LeaveReason }[]
}

export type ActivationRefusal = PlanRefusal<
  'missing-requirement' | 'requirement-cycle' | 'not-permitted' | 'conflicting'
>

export type ActivationPlan = ActivationSteps | ActivationRefusal
