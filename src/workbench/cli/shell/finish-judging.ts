import type { Diagnostic } from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import { writeFile } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { isInside } from '../../project/walk/is-inside.ts'
import {
  failures,
  type Judgement,
  type Problem,
  problemLine,
} from '../../report/facts/judgement.ts'
import { escapeMarkup } from '../../report/writers/escape-markup.ts'
import type { CliContext } from './cli-context.ts'
import type { JudgingOptions } from './opening-options.ts'

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

/** Writes judgements as JUnit XML, which CI systems read. */
function junitText(judgements: readonly Judgement[], failOn: 'error' | 'warning'): string {
  const text = (value: string) => escapeMarkup(value.split('\n').map(sanitiseLine).join('\n'))
  const judged = judgements.map((one) => ({ ...one, failed: failures(one, failOn) }))
  const cases = judged.map(({ file, name, failed, skipped }) => {
    const head = `    <testcase classname="${text(file)}" name="${text(name)}"`
    if (skipped !== undefined) {
      return `${head}>\n      <skipped message="${text(skipped)}"/>\n    </testcase>`
    }
    const [first] = failed
    if (first === undefined) return `${head}/>`
    const lines = failed.map(problemLine).join('\n')
    return `${head}>\n      <failure message="${text(problemLine(first))}">${text(lines)}</failure>\n    </testcase>`
  })
  const failed = judged.filter(({ failed: { length } }) => length > 0).length
  const skipped = judged.filter((one) => one.skipped !== undefined).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="loadout" tests="${judged.length}" failures="${failed}"${skipped === 0 ? '' : ` skipped="${skipped}"`}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const LEVELS: Readonly<Record<Diagnostic['severity'], string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
}

/** Writes a problem as a command of GitHub Actions, which shows it at its line. */
function annotation({ severity, title, message, file, line, column }: Problem): string {
  const properties = { file, line, col: column, title }
  const written = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escaped(String(value), /[%:,]/g)}`],
  )
  return `::${LEVELS[severity]} ${written.join(',')}::${escaped(message, /%/g)}`
}

/** Escapes letters by their codes, as a URL does. */
function escaped(text: string, letters: RegExp): string {
  return sanitiseLine(text).replaceAll(
    letters,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
