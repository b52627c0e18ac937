import { relative, sep } from 'node:path'
import { Option } from 'commander'
import type { LintedItem } from '../../catalog/lint/checks/lint-input.ts'
import { LINT_LEVELS, type LintLevel } from '../../catalog/lint/codes/diagnostic-group.ts'
import type { LintReport } from '../../catalog/lint/lint-catalog.ts'
import { resolveReading } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonOption } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { type Paint, paint } from '../shell/paint.ts'
import { whileReading } from '../shell/progress-line.ts'
import { diagnosticReport } from '../shell/report-diagnostics.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { wrapLines } from '../../kernel/wrap-lines.ts'

interface LintCommandOptions {
  readonly level: LintLevel
  readonly trust?: true
  readonly json?: true
  readonly quiet?: true
}

/** `loadout lint`: what is wrong with definitions, file by file. */
export const lintCommand: CliCommand<LintCommandOptions> = {
  name: 'lint',
  summary: 'tell what is wrong with skills, tools, toolsets, agents and configuration',
  description:
    'Read the definitions at the paths, or those of this folder, and tell what is wrong with each, where, and what to do. ' +
    'spec asks what the Agent Skills specification asks of skills, exactly as its reference validator does; ' +
    'portable asks what known clients ask, too; native, the default, asks everything of every kind of definition. ' +
    'The exit code is 1 when an item is an error. docs/diagnostics.md explains every code.',
  arguments: '[paths...]',
  options: () => [
    new Option('--level <level>', 'how much is asked').choices(LINT_LEVELS).default('native'),
    new Option('--quiet', 'leave out remarks'),
    new Option('--trust', 'run the configurations of these folders this once'),
    jsonOption(),
  ],
  examples: [
    'loadout lint examples/workbench',
    'loadout lint examples/workbench/skills --level spec --json',
  ],
  async run({ words, options, context }) {
    const { paths, reading } = await resolveReading(words, options, context)
    const [{ lintProject }, { BUILD_LIMITS }] = await Promise.all([
      import('../../project/lint/lint-project.ts'),
      import('../../project/manifest/build-project.ts'),
    ])
    const { level } = options
    const report = await whileReading(context, (onFolder, line) =>
      lintProject(paths, {
        ...reading,
        level,
        limits: BUILD_LIMITS,
        onFolder,
        onCompared: (done, of) => line.show('Comparing definitions', done, of),
      }),
    )
    if (report.checked === 0 && report.ok) {
      const what = level === 'native' ? 'definition' : 'skill'
      throw wrongUsage(
        `No ${what} was found ${words.length === 0 ? 'here' : `at ${words.join(', ')}`}.`,
        'Give folders that hold some, or their files.',
      )
    }
    if (options.json === true) context.stdout.write(jsonText(lintJson(report)))
    else writeLintReport(report, options.quiet === true, context)
    return report.ok ? 0 : 1
  },
}

/** How a severity is told to people: a remark asks for nothing. */
const SEVERITY_WORDS: Readonly<Record<Diagnostic['severity'], { word: string; colour: Paint }>> = {
  error: { word: 'error', colour: 'red' },
  warning: { word: 'warning', colour: 'yellow' },
  info: { word: 'remark', colour: 'dim' },
}

const INDENT = 2

/** What `lint --json` prints: the same, with null for what is not known. */
function lintJson({ ok, checked, level, items, limits }: LintReport) {
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
  const { word, colour } = SEVERITY_WORDS[severity]
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
    return length === 0 ? [] : [count(length, SEVERITY_WORDS[severity].word)]
  })
  return counts.length === 0 ? 'nothing found' : counts.join(', ')
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`
}
