import { Readable } from 'node:stream'
import { main } from '../../src/cli/main.ts'

interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** None by default, so that nothing is kept. */
  readonly home?: string
  /** Columns of the terminal; a pipe when absent. */
  readonly columns?: number
  readonly colour?: boolean
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Run one command line in this process, in a folder that also holds its trust file. */
export async function runCommand(
  argv: readonly string[],
  { cwd, env = {}, input = '', home, columns, colour = false }: Surroundings,
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  const code = await main(argv, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    stdin: Readable.from([input]),
    env,
    cwd,
    home: home ?? null,
    trustFile: `${cwd}/node_modules/trust.json`,
    isTerminal: columns !== undefined,
    columns: columns ?? 80,
    colour,
    onInterrupt: () => () => {},
    finish: async () => {},
  })
  return { code, ...written }
}
