import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/exposure.json` holds, as far as the page needs it. */
interface ExposureRun {
  readonly date: string
  readonly node: string
  readonly tokenizer: string
  readonly prefixes: readonly {
    readonly provider: string
    readonly strategy: string
    readonly steps: number
    readonly loads: number
    readonly found: number
    readonly kept: number
    readonly keptOfTools: number
    readonly price: number
    readonly lost: number
  }[]
  readonly choices: readonly { readonly provider: string; readonly strategy: string }[]
  readonly savings: readonly {
    readonly what: string
    readonly tools: number
    readonly metaTools: readonly string[]
    readonly all: number
    readonly definitions: number
    readonly page: number
    readonly saved: number
    readonly target: number
  }[]
}

/** What strategies keep of the prefix, and what a bridge saves: `npm run bench:exposure`. */
export const exposureSection: FiguresSection = {
  name: 'exposure',
  write: (results) => write(results as ExposureRun),
}

/** The two tables by themselves, for pages that quote them. */
export function exposureTables(results: unknown): {
  readonly kept: string
  readonly saved: string
} {
  const { prefixes, choices, savings } = results as ExposureRun
  const planned = new Set(choices.map(({ provider, strategy }) => `${provider} ${strategy}`))
  const kept = prefixes.map((one) => [
    one.provider,
    one.strategy,
    percent(one.kept),
    percent(one.keptOfTools),
    count(one.price),
    count(one.lost),
    planned.has(`${one.provider} ${one.strategy}`) ? 'planned' : '',
  ])
  const saved = savings.map((one) => [
    one.metaTools.join(', '),
    one.what,
    count(one.all),
    count(one.definitions),
    count(one.page),
    percent(one.saved),
    percent(one.target),
    one.saved >= one.target ? 'met' : 'missed',
  ])
  const headings = {
    kept: ['provider', 'strategy', 'kept', 'of the tools', 'price', 'lost', ''],
    saved: ['request', '', 'all tools', 'definitions', 'page', 'saved', 'target', ''],
  }
  return { kept: markdownTable(headings.kept, kept), saved: markdownTable(headings.saved, saved) }
}

function write(run: ExposureRun): string {
  const { date, node, tokenizer, prefixes, savings } = run
  const [first] = prefixes
  const { kept, saved } = exposureTables(run)
  return `## Exposure

What \`npm run bench:exposure\` counted on ${date} with Node ${node.slice(1)}, in tokens of ${tokenizer}.
A session of ${first?.steps} requests in which a model loads ${first?.loads} skills, finds ${first?.found} tools
and puts one skill away, over tools of real MCP servers. Kept: bytes of each request that begin
the next one, of all of them. The price is that of all prompts, in tokens at the full input
price; lost is what of it a whole prefix would not have cost. No request was sent to a provider.

${kept}

Under \`bridge\`, over ${savings[0]?.tools} of those tools, spread evenly: what a request carries of tools,
beside what it would carry of all of them. A page is the median answer of \`tool_search\`.

${saved}
`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}

function count(tokens: number): string {
  return tokens.toLocaleString('en')
}
