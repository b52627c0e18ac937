import type { FiguresSection } from './figures-section.ts'
import { markdownTable } from './markdown-table.ts'

/** What `bench/results/cms.json` holds. */
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

/** The conversations of examples/cms, with search and with everything: `node bench/cms.ts`. */
export const cmsSection: FiguresSection = {
  name: 'cms',
  write: (results) => write(results as CmsRun),
}

function write({ date, node, tokenizer, provider, conversations, savings }: CmsRun): string {
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
request was recorded where the model gets it. Everything: all definitions, rules and guidance.
Pages: what searches answered with, rules included; rules: what of that they are. Rules apart: saved by the
definitions and the pages without their rules, which a session is told once; everything has all of them.

${markdownTable(headings.saved, saved)}

Whole conversations, all that their prompts held. The price is in tokens at the full input price, in the
order and at the prices of \`${provider}\`; no request was sent to a provider. \`everything\` is the same
agent without search, memory, or any section of the workspace.

${markdownTable(headings.whole, whole)}
`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`
}

function count(tokens: number): string {
  return tokens.toLocaleString('en')
}
