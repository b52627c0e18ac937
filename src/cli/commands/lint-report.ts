import { relative, sep } from 'node:path'
import type { LintReport } from '../../catalog/lint/lint-catalog.ts'
import type { LintedItem } from '../../catalog/lint/checks/lint-item.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { wrapLines } from '../../render/prompt/forms/wrap-lines.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { diagnosticReport } from '../shell/diagnostic-report.ts'
import { paint, type Paint } from '../shell/paint.ts'

/** How a severity is told to people: a remark asks for nothing. */
const TOLD: Readonly<Record<Diagnostic['severity'], { word: string; colour: Paint }>> = {
  error: { word: 'error', colour: 'red' },
  warning: { word: 'warning', colour: 'yellow' },
  info: { word: 'remark', colour: 'dim' },
}

const INDENT = 2

/** What `lint --json` prints: the same, with null for what is not known. */
export function lintJson({ ok, checked, level, items, limits }: LintReport) {
  return {
    ok,
    checked,
    level,
    items: items.map(({ kind, path, name, status, diagnostics }) => ({
      kind,
      path,
      name,
      status,
      diagnostics: diagnostics.map(diagnosticReport),
    })),
    limits,
  }
}

/** Tell people what was found, file by file; files without findings are counted only. */
export function writeLintReport(
  { items, checked, level, limits }: LintReport,
  quiet: boolean,
  context: Pick<CliContext, 'cwd' | 'stdout' | 'isTerminal' | 'columns' | 'colour'>,
): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const told = items.flatMap((item) =>
    item.diagnostics
      .filter(({ severity }) => !quiet || severity !== 'info')
      .map((diagnostic) => ({ item, diagnostic })),
  )
  const byFile = Map.groupBy(told, ({ item, diagnostic }) => diagnostic.file ?? item.path)
  for (const [file, findings] of byFile) {
    const [first] = findings
    if (first === undefined) continue
    say(
      `${paint(shownPath(file, context.cwd), 'bold', context)}${titleOf(first.item, file, context)}`,
    )
    for (const { diagnostic } of findings) {
      for (const line of findingLines(diagnostic, context)) say(line)
    }
    say('')
  }
  say(`${count(checked, 'item')} checked (${level}): ${summary(items)}.`)
  for (const limit of limits) say(limit)
}

function titleOf(
  { kind, name, path }: LintedItem,
  file: string,
  context: Pick<CliContext, 'colour'>,
): string {
  if (path !== file || kind === 'folder') return ''
  const title = name === null ? `${kind}, not loaded` : `${kind} ${sanitiseLine(name)}`
  return paint(`  ${title}`, 'dim', context)
}

function findingLines(
  { severity, code, message, hint, line, column }: Diagnostic,
  context: Pick<CliContext, 'cwd' | 'isTerminal' | 'columns' | 'colour'>,
): readonly string[] {
  const { word, colour } = TOLD[severity]
  const place = line === undefined ? '' : `${[line, column ?? 1].join(':')} `
  const columns = context.isTerminal ? Math.max(context.columns, 20) : Number.POSITIVE_INFINITY
  const indented = (text: string, indent: number) =>
    wrapLines(sanitiseLine(text), columns - indent).map((one) => ' '.repeat(indent) + one)
  return [
    `${' '.repeat(INDENT)}${place}${paint(word, colour, context)} ${code}`,
    // Paths of other files, too, as a reader would type them.
    ...indented(message.replaceAll(`${context.cwd}${sep}`, ''), INDENT * 2),
    ...(hint === '' ? [] : indented(hint, INDENT * 2).map((one) => paint(one, 'dim', context))),
  ]
}

/** Relative where that is shorter: a path elsewhere is told whole. */
function shownPath(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return sanitiseLine(path === '' || path.startsWith('..') ? file : path)
}

function summary(items: readonly LintedItem[]): string {
  const all = items.flatMap(({ diagnostics }) => diagnostics)
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const { length } = all.filter((one) => one.severity === severity)
    return length === 0 ? [] : [count(length, TOLD[severity].word)]
  })
  return counts.length === 0 ? 'nothing found' : counts.join(', ')
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
