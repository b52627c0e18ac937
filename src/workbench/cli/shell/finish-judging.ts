import { Option } from 'commander'
import { writeFile } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { isInside } from '../../project/walk/is-inside.ts'
import { failures, type Judgement } from '../../report/facts/judgement.ts'
import { annotation, junitText } from '../../report/writers/judgements.ts'
import type { CliContext } from './cli-context.ts'

/** Options of every command that judges files. */
export interface JudgingOptions {
  readonly failOn: 'error' | 'warning'
  readonly junit?: string
  readonly annotations?: true
}

export function judgingOptions(): readonly Option[] {
  return [
    new Option('--fail-on <severity>', 'What makes the exit code 1')
      .choices(['error', 'warning'])
      .default('error'),
    new Option('--junit <file>', 'Also write the results to this file, in the form of JUnit'),
    new Option(
      '--annotations',
      'Also print the problems as annotations of GitHub Actions',
    ).conflicts('json'),
  ]
}

/** Writes judgements as the options say, and returns the exit code. */
export async function finishJudging(
  judgements: readonly Judgement[],
  { failOn, junit, annotations }: JudgingOptions,
  { cwd, env, stdout }: Pick<CliContext, 'cwd' | 'env' | 'stdout'>,
): Promise<0 | 1> {
  if (junit !== undefined) await writeFile(resolve(cwd, junit), junitText(judgements, failOn))
  if (annotations === true) {
    const checkout = env['GITHUB_WORKSPACE']
    for (const problem of judgements.flatMap(({ problems }) => problems)) {
      const file = resolve(cwd, problem.file)
      const base = checkout !== undefined && isInside(checkout, file) ? checkout : cwd
      const inside = relative(base, file).split(sep).join('/')
      stdout.write(`${annotation({ ...problem, file: inside })}\n`)
    }
  }
  return judgements.some((one) => failures(one, failOn).length > 0) ? 1 : 0
}
