import type { Option } from 'commander'
import type { CliContext } from './cli-context.ts'
import type { ExitCode } from './wrong-usage.ts'

/** What was typed, taken apart. */
interface CommandRequest<Options> {
  /** Arguments in order. */
  readonly words: readonly string[]
  readonly options: Options
  readonly context: CliContext
}

/** One command: what help says of it, and what it does. */
export interface CliCommand<Options> {
  readonly name: string
  /** A line for the list of commands. */
  readonly summary: string
  /** What the list does not say; a paragraph or two. */
  readonly description: string
  /** In the notation of commander: `<name> [paths...]`. */
  readonly arguments: string
  options(): readonly Option[]
  /** Whole command lines; help ends with them. */
  readonly examples: readonly string[]
  /** Throws what is wrong; `main` tells it. */
  run(request: CommandRequest<Options>): Promise<ExitCode>
}

/** Commands that stand behind a word they share: `loadout sessions list`. */
export interface CliGroup {
  readonly name: string
  /** A line for the list of commands. */
  readonly summary: string
  /** The first is what the word alone does. */
  readonly commands: readonly CliCommand<never>[]
}
