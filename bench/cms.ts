import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `node bench/cms.ts`: the costs of the conversations of examples/cms, step by step, with search and with
 * every tool in every request. Runs the example, prints the totals and writes `results/cms.json`.
 * `BENCH_DATE` overrides the date of the run. It only counts: two runs give the same result.
 */
interface Report {
  readonly provider: string
  readonly conversations: readonly {
    readonly conversation: string
    readonly title: string
    readonly setup: string
    readonly totals: object
  }[]
  readonly savings: readonly object[]
}

const example = fileURLToPath(new URL('../examples/cms/main.ts', import.meta.url))
const printed = execFileSync(process.execPath, [example, '--json'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
const { provider, conversations, savings } = JSON.parse(printed) as Report
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  tokenizer: 'o200k_base',
  provider,
  conversations: conversations.map(({ conversation, title, setup, totals }) => {
    return { conversation, title, setup, ...totals }
  }),
  savings,
}
writeFileSync(new URL('results/cms.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
for (const one of [...run.conversations, ...savings]) console.log(Object.values(one).join(', '))
