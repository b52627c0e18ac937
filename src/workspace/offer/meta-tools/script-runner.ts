import type { Skill, SkillFile } from '../../../skills/definition/skill.ts'

/** Runs the scripts of skills, outside of this process and within limits; `loadout/node` has one. */
export interface ScriptRunner {
  /** Milliseconds after which every run has ended. */
  readonly timeoutMs: number
  /** Rejects with a `WorkspaceError` when the script does not run. */
  run(request: ScriptRequest): Promise<ScriptRun>
}

/** One script to run: a file of an active skill, as the session activated it. */
export interface ScriptRequest {
  readonly skill: Pick<Skill, 'name' | 'baseDirectory'>
  /** Only a file with its digest may run; any other is refused as changed. */
  readonly file: SkillFile
  /** Passed to the script one by one, without a shell. */
  readonly arguments: readonly string[]
  /** The script's standard input; empty for none. */
  readonly stdin: string
  /** Aborted when the call is over: the script and every process it started must end. */
  readonly signal: AbortSignal
}

/** The outcome of a script. */
export interface ScriptRun {
  /** `exited`: by itself, with any exit code. Otherwise it was ended. */
  readonly ended: 'exited' | 'timed-out' | 'too-much-output' | 'aborted'
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Cut in the middle when long, with a notice. Hidden characters are made visible. */
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
}
