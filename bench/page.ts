import { writeFileSync } from 'node:fs'
import { measurePages, type PageFigures } from './measure-pages.ts'
import { readToolSet } from './read-tool-set.ts'

/**
 * `npm run bench:page`: the answers of `tool_search` over the tools of real servers: tokens of a page
 * compared with those of the same tools in full, and the recall that a page loses, if any. Prints a table and
 * writes `results/page.json`. `BENCH_DATE` overrides the date of the run.
 */
const SET = 'livemcp'
/** Tokens of a page without its rules: the default of a session. */
const TARGET = 450

const figures: PageFigures[] = []
for (const limit of [5, 10]) figures.push(await measurePages(readToolSet(SET), limit))
const run = {
  date: process.env['BENCH_DATE'] ?? new Date().toISOString().slice(0, 10),
  node: process.version,
  set: SET,
  tokenizer: 'o200k_base',
  target: TARGET,
  figures,
}
writeFileSync(new URL('results/page.json', import.meta.url), `${JSON.stringify(run, null, 2)}\n`)
for (const { limit, page, definitions, recall, results, call } of figures) {
  console.log(
    `${limit} results: ${page.mean} tokens a page (most ${page.most}, target ${TARGET}), ${definitions.mean} in full;`,
    `recall ${recall.page}, of the index alone ${recall.index};`,
    `${results.full} of ${results.mean} with their schema, ${results.shortened} shortened; ${call.median} ms`,
  )
}
