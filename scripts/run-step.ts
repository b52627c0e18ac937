import { PROJECT, projectEnvironment, runProgram } from './run-command.ts'

/** The result of one step. */
export interface StepReport {
  readonly name: string
  readonly passed: boolean
  /** The amount that the step checked, or why it is not known. */
  readonly summary: string
  readonly output: string
  readonly seconds: number
}

/** Runs a step. A step that exits with 0 and checked nothing has failed. */
export async function runStep({ name, command, args, amount }: Step): Promise<StepReport> {
  const start = performance.now()
  const options = { cwd: PROJECT, env: projectEnvironment() }
  const { code, stdout, stderr } = await runProgram(command, args, options).catch(
    ({ message }: Error) => ({ code: null, stdout: '', stderr: message }),
  )
  const output = stdout + stderr
  const seconds = (performance.now() - start) / 1000
  const [figures, count] = amount.exec(output) ?? []
  const summary = figures ?? 'does not print how much it checked'
  return { name, passed: code === 0 && Number(count) > 0, summary, output, seconds }
}

/** One check: a program, and the pattern of the amount that it checked in its output. */
interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** Matches the figures in the output; its first group is the number that may not be zero. */
  readonly amount: RegExp
  /** True for a step that runs only when it is named. */
  readonly onlyByName?: true
  /** True for a step that writes `dist`, which others read. */
  readonly builds?: true
}

/** The checks of the project, cheapest first. */
export const STEPS: readonly Step[] = [
  {
    name: 'format',
    command: 'node',
    args: ['scripts/check-format.ts'],
    amount: /(\d+) files, \d+ to format/,
  },
  {
    name: 'lint',
    command: 'oxlint',
    args: [],
    amount: /(\d+) files with \d+ rules/,
  },
  {
    name: 'rooms',
    command: 'node',
    args: ['scripts/check-rooms.ts'],
    amount: /(\d+) source files.*/,
  },
  {
    name: 'weight',
    command: 'node',
    args: ['scripts/weight/main.ts'],
    amount: /(\d+) figures of .*/,
  },
  {
    name: 'words',
    command: 'node',
    args: ['scripts/check-words.ts'],
    amount: /(\d+) files, \d+ words.*/,
  },
  {
    name: 'types',
    command: 'node',
    args: ['scripts/check-types.ts'],
    amount: /(\d+) files.*/,
  },
  {
    name: 'unused',
    command: 'knip',
    args: ['--no-progress', '--reporter', 'symbols', '--reporter', './scripts/knip-count.ts'],
    amount: /(\d+) files, \d+ issues/,
  },
  {
    name: 'tests',
    command: 'npm',
    args: ['test', '--silent'],
    builds: true,
    amount: /(?<=Tests .*)(\d+) passed.*/,
  },
  {
    name: 'long',
    command: 'npm',
    args: ['run', 'test:long', '--silent'],
    builds: true,
    amount: /(?<=Tests .*)(\d+) passed.*/,
    onlyByName: true,
  },
  {
    name: 'page',
    command: 'npm',
    args: ['run', 'page', '--silent'],
    builds: true,
    amount: /(\d+) of \d+ checks of the page passed/,
    onlyByName: true,
  },
  {
    name: 'readme',
    command: 'node',
    args: ['scripts/run-readme.ts'],
    amount: /(\d+) snippets of the README.*/,
  },
  {
    name: 'package',
    command: 'node',
    args: ['scripts/check-package.ts'],
    amount: /(\d+) files in the tarball.*/,
  },
  {
    name: 'ranges',
    command: 'node',
    args: ['scripts/check-ranges.ts'],
    amount: /(\d+) uses with the lowest and the highest.*/,
  },
]
