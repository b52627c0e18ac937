import type { Diagnostic } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { sanitiseLine, wrapLines } from '../../../entries/kit.ts'
import {
  LINT_LEVELS,
  type LintedItem,
  type LintLevel,
  type LintReport,
} from '../../../entries/definitions.ts'
import { relative, resolve, sep } from 'node:path'
import { Option } from 'commander'
import { findingValue } from '../../report/facts/finding-text.ts'
import type { Judgement } from '../../report/facts/judgement.ts'
import { askedClients, type AskedClients, clientListings } from '../opening/client-listings.ts'
import { resolveReading } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import {
  jsonOption,
  type JudgingOptions,
  judgingOptions,
  type LimitOptions,
  limitOptions,
  trustConfigOption,
} from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { type Paint, paint } from '../../report/writers/paint.ts'
import { whileReading } from '../shell/progress-line.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface LintCommandOptions extends LimitOptions, JudgingOptions {
  readonly level: LintLevel
  readonly for?: AskedClients
  readonly trust?: true
  readonly json?: true
  readonly quiet?: true
}

/** `loadout lint`: report problems in definitions, file by file. */
export const lintCommand: CliCommand<LintCommandOptions> = {
  name: 'lint',
  summary: 'Check skills, tools, toolsets, agents and configuration',
  description:
    'Check the definitions at the paths, or in the current folder. Each problem is reported with its ' +
    'place and what to do. The exit code is 1 if there are errors, or with --fail-on warning if there are warnings. docs/diagnostics.md explains every ' +
    'code.\n\n' +
    'Level spec checks skills against the Agent Skills specification, exactly as its reference validator ' +
    'does. portable adds the requirements of known clients. native, the default, checks everything in ' +
    'every kind of definition.',
  arguments: '[paths...]',
  options: () => [
    new Option('--level <level>', 'Set of checks').choices(LINT_LEVELS).default('native'),
    new Option(
      '--for <clients>',
      'Check what these clients list, such as claude-code,codex',
    ).argParser(askedClients),
    new Option('--quiet', 'Leave out remarks'),
    ...judgingOptions(),
    trustConfigOption(),
    ...limitOptions(),
    jsonOption(),
  ],
  examples: [
    'loadout lint examples/workbench',
    'loadout lint examples/workbench/skills --level spec --json',
    'loadout lint examples/workbench --for claude-code,codex',
  ],
  async run({ words, options, context }) {
    const { paths, reading } = await resolveReading(words, options, context)
    const [{ lintPaths }, { BUILD_LIMITS }] = await Promise.all([
      import('../../project/lint/lint-project.ts'),
      import('../../project/walk/load-options.ts'),
    ])
    const { level } = options
    const limits = { ...BUILD_LIMITS, ...reading.limits }
    const counter = await context.counter?.()
    const linted = await whileReading(context, (onFolder, line) =>
      lintPaths(
        paths,
        { ...reading, level, limits, ...(counter && { counter }) },
        onFolder,
        (done, of) => line.show('Comparing definitions', done, of),
      ),
    )
    const report =
      options.for === undefined
        ? linted
        : await lintFor(linted, options.for, words[0] ?? '.', context)
    const isEmpty = report.checked === 0 && report.ok
    if (!isEmpty || report.items.length > 0) {
      if (options.json === true) context.stdout.write(jsonText(lintJson(report)))
      else writeLintReport(report, options.quiet === true, context)
    }
    if (isEmpty) {
      const what = level === 'native' ? 'definition' : 'skill'
      throw wrongUsage(
        `No ${what} was found ${words.length === 0 ? 'here' : `at ${words.join(', ')}`}.`,
        `Give files or folders that contain ${what}s.`,
      )
    }
    const { finishJudging } = await import('../shell/finish-judging.ts')
    return finishJudging(
      report.items.map(lintJudgement(options.quiet === true, context)),
      options,
      context,
    )
  },
}

/** Lints for clients that are started in a folder, or in that of the folder of skills that is given. */
async function lintFor(
  report: LintReport,
  clients: AskedClients,
  path: string,
  context: CliContext,
): Promise<LintReport> {
  const { lintForClients, startingFolder } = await import('../../project/lint/lint-for-clients.ts')
  const folder = startingFolder(resolve(context.cwd, path))
  return lintForClients(report, await clientListings(folder, clients, {}, context), folder)
}

/** The word and the colour of a severity; a remark requires no action. */
const SEVERITY_WORDS: Readonly<Record<Diagnostic['severity'], { word: string; colour: Paint }>> = {
  error: { word: 'error', colour: 'red' },
  warning: { word: 'warning', colour: 'yellow' },
  info: { word: 'remark', colour: 'dim' },
}

const INDENT = 2

/** Returns the output of `lint --json`, with null for what is unknown. */
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
      diagnostics: diagnostics.map(findingValue),
    })),
    limits,
  }
}

/** Returns what is wrong about a definition, with paths from the current folder where they are in it. */
function lintJudgement(quiet: boolean, { cwd }: Pick<CliContext, 'cwd'>) {
  return ({ kind, name, path, diagnostics }: LintedItem): Judgement => ({
    file: shownPath(path, cwd),
    name: name === null ? kind : `${kind} ${name}`,
    problems: diagnostics
      .filter(({ severity }) => !quiet || severity !== 'info')
      .map(({ code, message, hint, file = path, ...rest }) => ({
        ...rest,
        title: code,
        message: `${message.replaceAll(`${cwd}${sep}`, '')} ${hint}`.trimEnd(),
        file: shownPath(file, cwd),
      })),
  })
}

function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, path)
  return inside === '' || inside.startsWith('..') ? path : inside
}

/** Writes the problems file by file; files without problems are only counted. */
export function writeLintReport(
  { items, checked, level, limits }: LintReport,
  quiet: boolean,
  context: Pick<CliContext, 'cwd' | 'stdout' | 'isTerminal' | 'columns' | 'colour'>,
): void {
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const findings = items.flatMap((item) =>
    item.diagnostics
      .filter(({ severity }) => !quiet || severity !== 'info')
      .map((diagnostic) => ({ item, diagnostic })),
  )
  const byFile = Map.groupBy(findings, ({ item, diagnostic }) => diagnostic.file ?? item.path)
  for (const [file, inFile] of byFile) {
    const [first] = inFile
    if (first === undefined) continue
    const { kind, name, path } = first.item
    const title = name === null ? `${kind}, not loaded` : `${kind} ${sanitiseLine(name)}`
    const isOwn = path === file && kind !== 'folder'
    const shown = sanitiseLine(shownPath(file, context.cwd))
    say(`${paint(shown, 'bold', context)}${isOwn ? paint(`  ${title}`, 'dim', context) : ''}`)
    for (const { diagnostic } of inFile) {
      for (const line of findingLines(diagnostic, context)) say(line)
    }
    say('')
  }
  say(`${counted(checked, 'item')} checked (${level}): ${summary(items)}.`)
  for (const limit of limits) say(limit)
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
    // Paths in messages are shortened as well.
    ...indented(message.replaceAll(`${context.cwd}${sep}`, ''), INDENT * 2),
    ...(hint === '' ? [] : indented(hint, INDENT * 2).map((one) => paint(one, 'dim', context))),
  ]
}

function summary(items: readonly LintedItem[]): string {
  const all = items.flatMap(({ diagnostics }) => diagnostics)
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const { length } = all.filter((one) => one.severity === severity)
    return length === 0 ? [] : [counted(length, SEVERITY_WORDS[severity].word)]
  })
  return counts.length === 0 ? 'no problems' : counts.join(', ')
}
