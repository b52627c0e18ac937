import type { Skill, SkillFile } from '../../../skills/definition/skill.ts'

/** Runs the scripts of skills, outside of this process and within limits; `loadout/node` has one. */
export interface ScriptRunner {
  /** Milliseconds after which a run has ended, one way or another. */
  readonly timeoutMs: number
  /** Rejects with a `WorkspaceError` when the script does not run. */
  run(request: ScriptRequest): Promise<ScriptRun>
}

/** One script to run: a file of an active skill, as the session activated it. */
export interface ScriptRequest {
  readonly skill: Pick<Skill, 'name' | 'baseDirectory'>
  /** Its digest is that of what may run; anything else is refused as changed. */
  readonly file: SkillFile
  /** Handed to the script one by one, through no shell. */
  readonly arguments: readonly string[]
  /** What it reads from its standard input; nothing when empty. */
  readonly stdin: string
  /** The call is over: the script and all it started end. */
  readonly signal: AbortSignal
}

/** What became of a script. */
export interface ScriptRun {
  /** `exited`: by itself, whatever its exit code. Else it was ended. */
  readonly ended: 'exited' | 'timed-out' | 'too-much-output' | 'aborted'
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Cut in the middle when it is long, with a notice; what a reader would not see is shown. */
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
}
