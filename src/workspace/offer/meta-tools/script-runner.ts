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
  readonly skill: Pick<Skill, 'name' | 'baseDirectory'> & Partial<Pick<Skill, 'files'>>
  /** Only a file with its digest may run; any other is refused as changed. */
  readonly file: SkillFile
  /** Passed to the script one by one, without a shell. */
  readonly arguments: readonly string[]
  /** The script's standard input; empty for none. */
  readonly stdin: string
  /** Aborted when the call is over: the script and every process it started must end. */
  readonly signal: AbortSignal
  /**
   * Given for a script that may go on after the call, such as a server. Aborted when its skill is deactivated and
   * when the workspace closes: then all of its processes must end.
   */
  readonly stays?: AbortSignal
  /** The sandbox of the AI SDK's run (`experimental_sandbox`), which goes before that of the runner. */
  readonly sandbox?: unknown
}

/** The outcome of a script. */
export interface ScriptRun {
  /** `exited`: by itself, with any exit code. `stays`: it, or what it started, goes on. Otherwise it was ended. */
  readonly ended: 'exited' | 'stays' | 'timed-out' | 'too-much-output' | 'aborted'
  /** Null when a signal ended it, and while it goes on. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Cut in the middle when long, with a notice. Hidden characters are made visible. */
  readonly stdout: string
  readonly stderr: string
  readonly durationMs: number
  /** Commands that it had started and that were still running when it exited. They were ended, unless it stays. */
  readonly left?: readonly string[]
  /** Of a script that stays: the file in the sandbox that has its output. */
  readonly outputFile?: string
  /** A remark for the caller, such as what the host lacks for this script. */
  readonly notice?: string
}
