import type { CliCommand } from './cli-command.ts'

/** Commands that stand behind a word they share: `loadout sessions list`. */
export interface CliGroup {
  readonly name: string
  /** A line for the list of commands. */
  readonly summary: string
  /** The first is what the word alone does. */
  readonly commands: readonly CliCommand<never>[]
}
