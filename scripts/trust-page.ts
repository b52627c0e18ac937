import type { PartRecord } from './torture/part-record.ts'
import { markdownTable } from './figures/markdown-table.ts'
import { quote } from './quote.ts'

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
