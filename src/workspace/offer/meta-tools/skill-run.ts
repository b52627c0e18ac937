import type { SkillFork } from '../../../skills/definition/skill.ts'

/**
 * Carries out a skill with `context: fork`: runs a model in a child session, and returns its answer. Null to load the
 * skill like any other.
 */
export type SkillRunner = (run: SkillRun) => Promise<string | null> | string | null

/** A skill that a model loads and a subagent carries out. `model` and `effort` are wishes of its author. */
export interface SkillRun extends Pick<SkillFork, 'model' | 'effort'> {
  readonly skill: string
  /** The first message of the subagent. */
  readonly task: string
  /** Aborted when the call is over. */
  readonly signal: AbortSignal
  /**
   * Opens the child session of the workspace that loads the skill. The skill is active in it, with its arguments. It
   * ends with the call.
   */
  open<Child extends ForkedSession>(workspace: ForkingWorkspace<Child>): Promise<Child>
}

interface ForkingWorkspace<Child> {
  readonly sessions: {
    child(options: { readonly agent?: string; readonly skills?: readonly string[] }): Promise<Child>
  }
}

interface ForkedSession {
  readonly session: string
  activateSkill(
    skill: string,
    options?: { readonly arguments?: string },
  ): Promise<{ orThrow(): unknown }>
}

/** Returns the first message of a subagent that carries out a skill. */
export function forkTask(skill: string, given: string | null | undefined): string {
  const about = given ? ` Its arguments: ${given}` : ''
  return `Carry out the active skill "${skill}".${about}\n\nAnswer with the result alone and in full: nothing else of your work is read.`
}
