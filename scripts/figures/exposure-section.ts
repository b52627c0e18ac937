import { type FiguresSection, markdownTable } from './figures-section.ts'
import { factsOfModel, PROVIDER_FACTS } from '../../src/workspace/offer/exposure/provider-facts.ts'

/** The part of `bench/results/exposure.json` that the page needs. */
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

/**
 * The bytes of the prefix that strategies keep, and the tokens that a bridge saves: `npm run bench:exposure`.
 */
export const exposureSection: FiguresSection = {
  name: 'exposure',
  write: (results) => writeExposure(results as ExposureRun),
}

/** Returns only the two tables, for pages that quote them. */
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

function writeExposure(run: ExposureRun): string {
  const { date, node, tokenizer, prefixes, savings } = run
  const [first] = prefixes
  const { kept, saved } = exposureTables(run)
  return `## Exposure

What \`npm run bench:exposure\` counted on ${date} with Node ${node.slice(1)}, in tokens of ${tokenizer}.
A session of ${first?.steps} requests in which a model loads ${first?.loads} skills, finds ${first?.found} tools
and unloads one skill, over tools of real MCP servers. Kept: the part of the bytes of all requests that
also begin the next request. Price: all prompts, in tokens at the full input price. Lost: the part of the
price that a prompt with an unchanged prefix would not have cost. No request was sent to a provider.

${kept}

Under \`bridge\`, over ${savings[0]?.tools} of those tools, spread evenly: the tokens of tools in a request,
compared with the definitions of all of them. A page is the median answer of \`tool_search\`.

${saved}
`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}

function count(tokens: number): string {
  return tokens.toLocaleString('en')
}

/** Returns the known facts of each provider, as `docs/exposure.md` shows them. */
export function providersTable(): string {
  const facts = Object.values(PROVIDER_FACTS)
  const families = [factsOfModel('anthropic', 'claude-opus-4-8'), factsOfModel('openai', 'gpt-5.4')]
  const yesOrNo = (does: boolean) => (does ? 'yes' : 'no')
  const rows = [...facts, ...families].map((one) => [
    `\`${one.name}\`${one.family === undefined ? '' : `, ${one.family}`}`,
    one.order.join(', '),
    `${one.minimum.toLocaleString('en')}${one.grain === 1 ? '' : `, then by ${one.grain}`}`,
    `${one.read}`,
    `${one.write}`,
    yesOrNo(one.defers),
    yesOrNo(one.adds),
    yesOrNo(one.removes),
    one.tools?.toLocaleString('en') ?? '',
  ])
  const notes = facts.map(
    ({ name, remarks, sources }) =>
      `- \`${name}\`: ${remarks} From ${sources.map((source) => `<${source}>`).join(', ')}.`,
  )
  const heading = [
    'provider',
    'order of the request',
    'least prefix',
    'read',
    'write',
    'defers',
    'adds',
    'removes',
    'most tools',
  ]
  return `${markdownTable(heading, rows)}\n\n${notes.join('\n')}`
}

/** The part of `bench/results/page.json` that the page needs. */
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

/** The answers of `tool_search`, compared with full definitions: `npm run bench:page`. */
export const pageSection: FiguresSection = {
  name: 'page',
  write: (results) => writePage(results as PageRun),
}

function writePage({ date, node, set, tokenizer, target, figures }: PageRun): string {
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
asked in a turn of its own. Tokens are counted with ${tokenizer}; a page is counted as the JSON a model reads, rules
apart.

${markdownTable(heading, rows)}
`
}

/** The part of `bench/results/cms.json` that the page needs. */
interface CmsRun {
  readonly date: string
  readonly node: string
  readonly tokenizer: string
  readonly provider: string
  readonly conversations: readonly {
    readonly conversation: string
    readonly title: string
    readonly setup: string
    readonly requests: number
    readonly tokens: number
    readonly price: number
    readonly kept: number
  }[]
  readonly savings: readonly {
    readonly setup: string
    readonly what: string
    readonly all: number
    readonly definitions: number
    readonly page: number
    readonly rules: number
    readonly saved: number
    readonly savedRulesApart: number
  }[]
}

/** The conversations of examples/cms, with search and with every tool: `node bench/cms.ts`. */
export const cmsSection: FiguresSection = {
  name: 'cms',
  write: (results) => writeCms(results as CmsRun),
}

function writeCms({ date, node, tokenizer, provider, conversations, savings }: CmsRun): string {
  const saved = savings.map(({ setup, what, all, definitions, page, rules, ...one }) => {
    const counts = [all, definitions, page, rules].map(count)
    return [setup, what, ...counts, percent(one.saved), percent(one.savedRulesApart)]
  })
  const whole = conversations.map((one) => [
    `${one.conversation}: ${one.title}`,
    one.setup,
    count(one.requests),
    count(one.tokens),
    count(one.price),
    percent(one.kept),
  ])
  const headings = {
    saved: ['', 'request', 'everything', 'definitions', 'pages', 'rules', 'saved', 'rules apart'],
    whole: ['conversation', '', 'requests', 'tokens', 'price', 'kept'],
  }
  return `## The CMS agent

What \`node bench/cms.ts\` counted on ${date} with Node ${node.slice(1)}, in tokens of ${tokenizer}: the
scripted conversations of [examples/cms](../examples/cms/README.md), 45 tools with short definitions. Each
request was recorded at the model. Everything: all definitions, rules and guidance.
Pages: the answers of searches, rules included. Rules: the part of the pages that is rules. Rules apart: the
saving of the definitions and the pages without their rules, which a session contains once. Everything
includes all rules.

${markdownTable(headings.saved, saved)}

Complete conversations: all tokens of their prompts. The price is in tokens at the full input price, in the
order and at the prices of \`${provider}\`; no request was sent to a provider. \`everything\` is the same
agent without search, memory, or any section of the workspace.

${markdownTable(headings.whole, whole)}
`
}
