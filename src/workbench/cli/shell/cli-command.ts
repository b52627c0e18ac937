import type { Option } from 'commander'
import type { CliContext } from './cli-context.ts'
import type { ExitCode } from './wrong-usage.ts'

/** One command: its help and its action. */
export interface CliCommand<Options> {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** A paragraph or two that add to the summary. */
  readonly description: string
  /** In commander's notation: `<name> [paths...]`. */
  readonly arguments: string
  options(): readonly Option[]
  /** Complete command lines, printed at the end of the help. */
  readonly examples: readonly string[]
  /** Throws on failure; `main` reports the error. */
  run(request: {
    /** Arguments in order. */
    readonly words: readonly string[]
    readonly options: Options
    readonly context: CliContext
  }): Promise<ExitCode>
}

/** Commands behind a common word: `loadout sessions list`. */
export interface CliGroup {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The first one runs when no command of the group is given. */
  readonly commands: readonly CliCommand<never>[]
}
