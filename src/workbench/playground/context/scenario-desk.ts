import type { VirtualWorkspace } from '../../../entries/index.ts'

/** Records and runs scenarios. The command that opened the screen knows their folder. */
export interface ScenarioDesk {
  /** Writes the session as a scenario, and runs it. */
  record(workspace: VirtualWorkspace): Promise<{
    /** Its path, as a person reads it. */
    readonly file: string
    readonly steps: number
    readonly expectations: number
    /** The expectations that do not hold when it runs again, a line for each. */
    readonly unmet: readonly string[]
  }>
  /** Runs the scenarios of the project, and the evals of its skills. */
  test(): Promise<readonly ScenarioTest[]>
}

/** A scenario that ran. */
export interface ScenarioTest {
  readonly name: string
  /** Null when it was not judged. */
  readonly ok: boolean | null
  /** The differences, with file and line; the reason when it was not judged. */
  readonly lines: readonly string[]
}
