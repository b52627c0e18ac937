import { writeFileSync } from 'node:fs'
import { EXPOSURES, PROVIDER_FACTS } from 'loadout/adapter'
import type { ExposureName, ProviderName } from 'loadout'
import {
  measureChoice,
  type MeasuredProvider,
  measurePrefix,
  type ChoiceFigure,
  type PrefixFigure,
} from './measure-prefix.ts'
import { measureSavings } from './measure-savings.ts'

/**
 * `npm run bench:exposure`: the part of a request's prefix that each strategy keeps over a session, in the
 * order in which each provider reads, and the tokens of definitions that a bridge saves on real tools. Prints
 * both and writes `results/exposure.json`. `BENCH_DATE` overrides the date of the run. It only counts: two
 * runs give the same result.
 */
const prefixes: PrefixFigure[] = []
const choices: ChoiceFigure[] = []
for (const provider of Object.keys(PROVIDER_FACTS) as ProviderName[]) {
  for (const strategy of Object.keys(EXPOSURES) as ExposureName[]) {
    if (strategy === 'conversation') continue
    if (strategy === 'deferred' && !PROVIDER_FACTS[provider].defers) continue
    prefixes.push(await measurePrefix(strategy, provider))
  }
  choices.push(await measureChoice(provider))
}
for (const family of ['anthropic/claude-opus-4-8', 'openai/gpt-5.4'] satisfies MeasuredProvider[]) {
  prefixes.push(await measurePrefix('conversation', family))
  choices.push(await measureChoice(family))
}
const savings = await measureSavings()
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  tokenizer: 'o200k_base',
  prefixes,
  choices,
  savings,
}
writeFileSync(
  new URL('results/exposure.json', import.meta.url),
  `${JSON.stringify(run, null, 2)}\n`,
)
for (const { provider, strategy, kept, keptOfTools, price, lost, found } of prefixes) {
  console.log(
    `${provider.padEnd(11)} ${strategy.padEnd(9)} kept ${percent(kept)}, of the tools ${percent(keptOfTools)};`,
    `price ${price} tokens, ${lost} of them lost (${found} tools found)`,
  )
}
for (const { provider, strategy, why } of choices) console.log(`${provider}: ${strategy}. ${why}`)
for (const { what, metaTools, all, definitions, page, saved, target } of savings) {
  console.log(
    `${metaTools.join(', ')}; ${what}: ${definitions} + ${page} tokens instead of ${all}, ${percent(saved)} saved, target ${percent(target)}`,
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
