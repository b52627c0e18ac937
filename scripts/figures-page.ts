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
import type { PartRecord } from './torture/torture-part.ts'

/** The parts of the page, in order. A bench that writes results adds its own here. */
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
  terminalSection,
]

/**
 * `docs/figures.md`, as Markdown.
 *
 * @param results what `bench/results/<name>.json` holds
 */
export function figuresPage(results: (name: string) => unknown): string {
  const sections = FIGURES_SECTIONS.map(({ name, write }) => write(results(name)))
  return ['# Figures\n', ...sections].join('\n')
}

/** `docs/exposure.md` with its facts and figures as they are now. */
export function exposurePage(page: string, results: unknown): string {
  const { kept, saved } = exposureTables(results)
  const facts = quote(page, 'providers', providersTable())
  return quote(quote(facts, 'kept', kept), 'saved', saved)
}

/** What `bench/results/torture.json` holds, as far as the page needs it. */
interface TortureRun {
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly parts: readonly PartRecord[]
}

/** `docs/trust.md` with what the last `npm run torture` came to. */
export function trustPage(page: string, results: unknown): string {
  const { node, machine, parts } = results as TortureRun
  const ran = `Node ${node.slice(1)} on ${machine.cores} cores of a ${machine.processor}.`
  return quote(page, 'torture', [...parts.map(partText), ran].join('\n\n'))
}

function partText(record: PartRecord): string {
  const { name, claim, date, seed, scale, seconds, figures, failures, skipped, done = 1 } = record
  const rows = Object.entries(figures).map(([what, figure]) => [what, figure.toLocaleString('en')])
  const part = Number((scale * done).toFixed(3))
  const size = part === 1 ? 'the whole' : `a part of ${part}`
  const ran = `${date}, ${size}, seed ${seed}, ${seconds.toLocaleString('en')} s`
  return [
    `### ${name}`,
    `${claim} ${failures.length === 0 ? 'It held' : `It failed ${failures.length} times`} (${ran}).`,
    ...(skipped === undefined ? [] : [`Left out: ${skipped}`]),
    markdownTable(['', ''], rows),
  ].join('\n\n')
}

/**
 * A page with what stands between `<!-- figures: name -->` and `<!-- end of figures -->` replaced, so
 * that numbers and facts in a text are never typed. Throws when the page has no such place.
 */
function quote(page: string, name: string, text: string): string {
  const begin = `<!-- figures: ${name} -->`
  const start = page.indexOf(begin)
  const end = page.indexOf('<!-- end of figures -->', start)
  if (start < 0 || end < 0) throw new Error(`No place is marked with ${begin}.`)
  return `${page.slice(0, start + begin.length)}\n\n${text.trim()}\n\n${page.slice(end)}`
}
