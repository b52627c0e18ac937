import { counted } from '../../../../entries/plan.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import type { TestedScenario } from '../../../project/scenarios/test-scenario.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { Judgement, Problem } from '../../../report/facts/judgement.ts'
import { paint } from '../../../report/writers/paint.ts'

/** An element of `test --json`: a scenario, or an eval of a skill. */
export interface TestedFile extends Omit<TestedScenario, 'ok'> {
  readonly file: string
  /** Null when it was not judged. */
  readonly ok: boolean | null
  /** The way in which an eval was judged, or the reason why it was not. */
  readonly note?: string
}

/** Writes the scenarios, and for each that failed what was expected and what was found. */
export function writeTests(tested: readonly TestedFile[], context: CliContext): void {
  const say = (line: string) => void context.stdout.write(`${line}\n`)
  for (const { file, name, ok, faults, steps, runs, note = '' } of tested) {
    if (ok === null) continue
    const mark = ok ? paint('ok  ', 'green', context) : paint('FAIL', 'red', context)
    const rate = runs === undefined ? '' : ` (${runs.passed} of ${runs.count} runs passed)`
    say(`${mark} ${sanitiseLine(name ?? file)}${rate}`)
    if (note !== '') say(paint(`     ${sanitiseLine(note)}`, 'dim', context))
    for (const { line, message } of faults)
      say(`     ${sanitiseLine(`${file}:${line} ${message}`)}`)
    for (const { line, unmet } of steps) {
      for (const { expectation, expected, actual, why } of unmet) {
        say(`     ${sanitiseLine(`${file}:${line} ${expectation}`)}`)
        say(paint(`       - expected ${shownValue(expected)}`, 'green', context))
        say(paint(`       + found    ${shownValue(actual)}`, 'red', context))
        if (why !== '') say(paint(`         ${sanitiseLine(why)}`, 'dim', context))
      }
    }
  }
  const unjudged = tested.filter(({ ok }) => ok === null)
  for (const [reason, { length }] of Map.groupBy(unjudged, ({ note = '' }) => note)) {
    say(
      paint(`--   ${counted(length, 'eval')} not judged. ${sanitiseLine(reason)}`, 'dim', context),
    )
  }
  if (tested.length === 0) return say('No scenario was found, so nothing was tested.')
  const judged = tested.filter(({ ok }) => ok !== null)
  const failed = judged.filter(({ ok }) => ok === false).length
  const evals = judged.filter(({ note }) => note !== undefined)
  const sum = judged.flatMap(({ steps }) => steps).reduce((all, one) => all + one.expectations, 0)
  const parts = [
    counted(judged.length - evals.length, 'scenario'),
    ...(evals.length === 0 ? [] : [counted(evals.length, 'eval')]),
    counted(sum, 'expectation'),
  ]
  const verdict =
    judged.length === 0 ? 'nothing was judged' : failed === 0 ? 'all passed' : `${failed} failed`
  say(`${parts.join(', ')}: ${verdict}`)
}

/** Longer values are cut: the reason matters more. */
const MOST_LETTERS = 400

function shownValue(value: unknown): string {
  const text = sanitiseLine(JSON.stringify(value) ?? 'nothing')
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text
}

/** Returns what is wrong about a scenario or an eval. What failed in runs that may fail is a warning. */
export function testJudgement({ file, name, ok, faults, steps, note = '' }: TestedFile): Judgement {
  const named = { file, name: name ?? file }
  if (ok === null) return { ...named, problems: [], skipped: note }
  const severity = ok ? 'warning' : 'error'
  const problem = (message: string, line?: number): Problem => ({
    severity,
    title: named.name,
    message,
    file,
    ...(line !== undefined && { line }),
  })
  const reasons = [
    ...(ok || note === '' ? [] : [problem(note)]),
    ...faults.map(({ line, message }) => problem(message, line)),
    ...steps.flatMap(({ line, unmet }) =>
      unmet.map(({ expectation, expected, actual, why }) =>
        problem(
          `${expectation}: expected ${shownValue(expected)}, found ${shownValue(actual)}. ${why}`,
          line,
        ),
      ),
    ),
  ]
  return { ...named, problems: reasons.length > 0 || ok ? reasons : [problem('It failed.')] }
}
