import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/page.json` holds, as far as the page of figures needs it. */
interface PageRun {
  readonly date: string
  readonly node: string
  readonly set: string
  readonly tokenizer: string
  readonly target: number
  readonly figures: readonly {
    readonly tools: number
    readonly queries: number
    readonly limit: number
    readonly page: { readonly mean: number; readonly most: number }
    readonly definitions: { readonly mean: number }
    readonly recall: { readonly page: number; readonly index: number }
    readonly results: { readonly mean: number; readonly full: number; readonly shortened: number }
  }[]
}

/** What `tool_search` answers with, beside full definitions: `npm run bench:page`. */
export const pageSection: FiguresSection = {
  name: 'page',
  write: (results) => write(results as PageRun),
}

function write({ date, node, set, tokenizer, target, figures }: PageRun): string {
  const [first] = figures
  const heading = ['', ...figures.map(({ limit }) => `${limit} results`), 'target, at 5']
  const row = (what: string, of: (figure: PageRun['figures'][number]) => number, aim = '') => [
    what,
    ...figures.map((figure) => of(figure).toLocaleString('en')),
    aim,
  ]
  const rows = [
    row('tokens of a page, mean', ({ page }) => page.mean),
    row('tokens of the largest page', ({ page }) => page.most, String(target)),
    row('tokens of the same tools, defined in full', ({ definitions }) => definitions.mean),
    row('recall of the page', ({ recall }) => recall.page, 'as the index'),
    row('recall of the index alone', ({ recall }) => recall.index),
    row('results on a page', ({ results }) => results.mean),
    row('of them with their full schema', ({ results }) => results.full),
    row('of them shortened', ({ results }) => results.shortened),
  ]
  return `## A page of tool_search

Written by \`npm run figures\` from what \`npm run bench:page\` measured on ${date} with Node ${node.slice(1)}:
the ${first?.queries ?? 0} requests of \`${set}\` over its ${first?.tools ?? 0} tools of real servers, each
asked in a turn of its own. Tokens are those of ${tokenizer}; a page is counted as the JSON a model reads, rules
apart.

${markdownTable(heading, rows)}
`
}
