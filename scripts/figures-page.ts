import { LEFT_OUT } from './carnet/carnet-versions.ts'
import type { ConformanceRecord } from './conformance/conformance-part.ts'
import { adapterSection, carnetSection } from './figures/adapter-section.ts'
import {
  coreSection,
  manifestSection,
  sessionsSection,
  terminalSection,
} from './figures/core-section.ts'
import {
  cmsSection,
  exposureSection,
  exposureTables,
  pageSection,
  providersTable,
} from './figures/exposure-section.ts'
import { type FiguresSection, markdownTable } from './figures/figures-section.ts'
import { searchSection } from './figures/search-section.ts'
import { stepsSection } from './figures/steps-section.ts'
import { wiresTables } from './figures/wires-section.ts'
import type { PartRecord } from './torture/torture-part.ts'

/** The parts of the page, in order. A bench that writes results adds its part here. */
export const FIGURES_SECTIONS: readonly FiguresSection[] = [
  coreSection,
  searchSection,
  manifestSection,
  pageSection,
  exposureSection,
  cmsSection,
  adapterSection,
  carnetSection,
  sessionsSection,
  stepsSection,
  terminalSection,
]

/**
 * Returns `docs/figures.md` as Markdown.
 *
 * @param results returns the contents of `bench/results/<name>.json`
 */
export function figuresPage(results: (name: string) => unknown): string {
  const sections = FIGURES_SECTIONS.map(({ name, write }) => write(results(name)))
  return ['# Figures\n', ...sections].join('\n')
}

/** Returns `docs/exposure.md` with its current facts and figures. */
export function exposurePage(page: string, results: unknown): string {
  const { kept, saved } = exposureTables(results)
  const facts = quote(page, 'providers', providersTable())
  return quote(quote(facts, 'kept', kept), 'saved', saved)
}

/** The part of `bench/results/escapes.json` that the page needs. */
interface EscapesRun {
  readonly sandboxes: readonly ({ readonly name: string } & Readonly<
    Record<'paths' | 'commands' | 'floods', EscapeCount>
  >)[]
}

interface EscapeCount {
  readonly tried: number
  readonly out: number
  readonly skipped: number
}

const SANDBOX_NAMES: ReadonlyMap<string, string> = new Map([
  ['folder', '`openFolderSandbox`'],
  ['fence', '`openFencedSandbox`'],
  ['memory', '`openMemorySandbox`'],
])

/** Returns `docs/scripts.md` with the results of the last `npm run escapes`. */
export function scriptsPage(page: string, results: unknown): string {
  const { sandboxes } = results as EscapesRun
  const cell = ({ tried, out, skipped }: EscapeCount) => {
    if (skipped > 0) return `not measured (${skipped})`
    return tried === 0 ? 'no fence' : `${out} of ${tried}`
  }
  const rows = sandboxes.map(({ name, paths, commands, floods }) => [
    SANDBOX_NAMES.get(name) ?? name,
    cell(paths),
    cell(commands),
    cell(floods),
  ])
  const heading = ['sandbox', 'paths of the file tools', 'commands', 'floods and orphans']
  return quote(page, 'escapes', markdownTable(heading, rows))
}

/** The part of `bench/results/agents.json` that the page needs. */
interface AgentsRun {
  readonly agents: readonly {
    readonly name: string
    readonly commit: string
    readonly tools: number
    readonly tests: { readonly before: number; readonly after: number }
    readonly lines: number
    readonly casts: number
    readonly compared: { readonly results: number; readonly parts: number }
    readonly listed: readonly string[]
    readonly differences: readonly string[]
    readonly characters: { readonly plain: number; readonly moved: number }
    readonly requests: { readonly plain: number; readonly moved: number }
  }[]
}

/** Returns `docs/you-already-have-an-agent.md` with the results of the last `npm run agents`. */
export function agentsPage(page: string, results: unknown): string {
  const { agents } = results as AgentsRun
  const rows = agents.map((one) => [
    `[${one.name}](https://github.com/vercel-labs/${one.name}) at ${one.commit.slice(0, 8)}`,
    one.tools,
    `${one.tests.before} and ${one.tests.after} pass`,
    `${one.lines}, ${one.casts} casts`,
    `${one.compared.results} results and ${one.compared.parts} parts: ${one.differences.length} differ`,
    one.listed.length === 0 ? 'none' : one.listed.join(', '),
    `${one.characters.plain.toLocaleString('en')} in ${one.requests.plain}, then ${one.characters.moved.toLocaleString('en')} in ${one.requests.moved}`,
  ])
  const heading = [
    'agent',
    'tools',
    'its own tests, before and after',
    'changed lines',
    'compared, without added tools',
    'differences of the table above',
    'characters of all requests',
  ]
  return quote(
    page,
    'agents',
    markdownTable(
      heading,
      rows.map((row) => row.map(String)),
    ),
  )
}

/** The part of `bench/results/carnet-suites.json` that the page needs. */
interface CarnetRun {
  readonly versions: readonly {
    readonly version: string
    readonly commit: string
    readonly passed: number
    readonly failed: readonly string[]
    readonly leftOut: readonly string[]
  }[]
}

/** Returns `docs/migrating-from-carnet.md` with the results of the last `npm run carnet`. */
export function carnetPage(page: string, results: unknown): string {
  const { versions } = results as CarnetRun
  const run = markdownTable(
    ['Carnet', 'commit', 'passed', 'failed on purpose', 'files left out'],
    versions.map(({ version, commit, passed, failed, leftOut }) =>
      [version, commit.slice(0, 8), passed, failed.length, leftOut.length].map(String),
    ),
  )
  const leftOut = [...new Set(versions.flatMap((one) => one.leftOut))].toSorted()
  const reasons = leftOut.map((file) => [`\`${file}\``, LEFT_OUT[file] ?? ''])
  return quote(
    quote(page, 'carnet', run),
    'carnet-left-out',
    markdownTable(['left out', 'because it'], reasons),
  )
}

/** The part of `bench/results/torture.json` that the page needs. */
interface TortureRun {
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly parts: readonly PartRecord[]
}

/** Returns `docs/trust.md` with the results of the last `npm run torture`. */
export function trustPage(page: string, results: unknown): string {
  const { node, machine, parts } = results as TortureRun
  const ran = `Node ${node.slice(1)} on ${machine.cores} cores of a ${machine.processor}.`
  return quote(page, 'torture', [...parts.map(partText), ran].join('\n\n'))
}

/** Returns `docs/wires.md` with the results of the last `npm run wires`. */
export function wiresPage(page: string, results: unknown): string {
  return quote(page, 'wires', wiresTables(results))
}

/** Returns `docs/mcp.md` with the results of the last `npm run conformance`. */
export function conformancePage(page: string, results: unknown): string {
  const { parts } = results as { readonly parts: readonly ConformanceRecord[] }
  const rows = parts.flatMap(({ date, results: shown }) =>
    shown.map(({ name, found, passed }) => [name, passed ? found : `failed: ${found}`, date]),
  )
  return quote(page, 'conformance', markdownTable(['what', 'result', 'run on'], rows))
}

/** Returns `docs/skills-you-have.md` with the current table of the corpus. */
export function skillsPage(page: string, table: string): string {
  return quote(page, 'skills', table)
}

function partText(record: PartRecord): string {
  const {
    name,
    claim,
    date,
    commit,
    seed,
    scale,
    seconds,
    figures,
    failures,
    skipped,
    done = 1,
  } = record
  const rows = Object.entries(figures).map(([what, figure]) => [what, figure.toLocaleString('en')])
  const part = Number((scale * done).toFixed(3))
  const size = part === 1 ? 'complete run' : `a part of ${part}`
  const of = commit === undefined ? '' : `, commit ${commit}`
  const ran = `${date}${of}, ${size}, seed ${seed}, ${seconds.toLocaleString('en')} s`
  return [
    `### ${name}`,
    `${claim} ${failures.length === 0 ? 'It passed' : `It failed ${failures.length} times`} (${ran}).`,
    ...(skipped === undefined ? [] : [`Left out: ${skipped}`]),
    markdownTable(['', ''], rows),
  ].join('\n\n')
}

/**
 * Replaces the text between `<!-- figures: name -->` and `<!-- end of figures -->` of a page, so that nobody
 * types numbers and facts by hand. Throws when the page has no such marks.
 */
function quote(page: string, name: string, text: string): string {
  const begin = `<!-- figures: ${name} -->`
  const start = page.indexOf(begin)
  const end = page.indexOf('<!-- end of figures -->', start)
  if (start < 0 || end < 0) throw new Error(`No place is marked with ${begin}.`)
  return `${page.slice(0, start + begin.length)}\n\n${text.trim()}\n\n${page.slice(end)}`
}
