import { Readable, Writable } from 'node:stream'
import type { CliTerminal } from '../../../src/workbench/cli/shell/cli-context.ts'
import { main } from '../../../src/workbench/cli/main.ts'

interface Surroundings {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** None by default, so that nothing is kept. */
  readonly home?: string
  /** Columns of the terminal; a pipe when absent. */
  readonly columns?: number
  readonly colour?: boolean
  /** The lines that a person at the terminal writes, one after each prompt; no terminal when absent. */
  readonly answers?: readonly string[]
}

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Run one command line in this process, in a folder that also holds its trust file.
 *
 * @param program the command; the one of the sources by default
 */
export async function runCommand(
  argv: readonly string[],
  { cwd, env = {}, input = '', home, columns, colour = false, answers }: Surroundings,
  program: typeof main = main,
): Promise<CommandResult> {
  const written = { stdout: '', stderr: '' }
  const code = await program(argv, {
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
    ...(answers !== undefined && { terminal: aTerminal(answers, written) }),
    onInterrupt: () => () => {},
    finish: async () => {},
  })
  return { code, ...written }
}

function aTerminal(answers: readonly string[], written: { stderr: string }): CliTerminal {
  const left = [...answers]
  const stdin = new Readable({ read: () => {} })
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      const text = chunk.toString()
      written.stderr += text
      // A prompt does not end its line.
      if (!text.endsWith('\n')) {
        const answer = left.shift()
        stdin.push(answer === undefined ? null : `${answer}\n`)
      }
      done()
    },
  })
  return { stdin, stdout: output, stderr: output } as unknown as CliTerminal
}
