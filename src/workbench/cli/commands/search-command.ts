import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import { sanitiseLine } from '../../../entries/kit.ts'
import { openCatalog } from '../opening/open-catalog.ts'
import type { SearchReport } from '../opening/open-search.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import {
  numberBetween,
  type ReadingOptions,
  readingOptions,
  type SearchOptions,
  searchOptions,
} from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { printReport } from '../../report/writers/print-report.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

const MOST = 100

/** `loadout search`: the results of an agent's `tool_search`, with the matched words. */
export const searchCommand: CliCommand<
  ReadingOptions & SearchOptions & { readonly limit?: number }
> = {
  name: 'search',
  summary: 'Search tools and skills, as an agent does',
  description:
    "Search tools and skills by a person's words, with the same index as tool_search. MATCHED lists the " +
    'matching words by field. The confidence, from 0 to 1, says how certain the first result is. The ' +
    'exit code is 1 if nothing matches.',
  arguments: '<query> [paths...]',
  options: () => [
    new Option('--limit <n>', 'Maximum number of results (default: 5)').argParser(
      numberBetween(1, MOST, true),
    ),
    ...searchOptions(),
    ...readingOptions(),
  ],
  examples: [
    "loadout search 'average of a column' examples/workbench --trust",
    'loadout search web_fetch examples/workbench --trust --kind tool --json',
  ],
  async run({ words, options, context }) {
    const [query = '', ...paths] = words
    if (query.trim() === '') throw wrongUsage('The query is empty.', 'Give words to search for.')
    await refuseUnquoted(query, paths, context.cwd)
    const [{ openSearch, searchReport }, { documentsOf }] = await Promise.all([
      import('../opening/open-search.ts'),
      import('../../../entries/search.ts'),
    ])
    const opened = await openCatalog(paths, options, context, { home: true })
    const documents = documentsOf(opened.catalog)
    const search = await openSearch(documents, options, context)
    try {
      // The answer says why there are no vectors.
      await search.prepare().catch(() => {})
      const { limit } = options
      const answer = await search.search(query, limit === undefined ? {} : { limit })
      const report = searchReport(query, answer, documents, opened)
      if (options.json === true) context.stdout.write(jsonText(report))
      else await writeReport(report, search.documents.length, context)
      return report.results.length === 0 ? 1 : 0
    } finally {
      await search.close()
    }
  },
}

/** Throws for a path that does not exist and may be a word of an unquoted query. */
async function refuseUnquoted(query: string, paths: readonly string[], cwd: string): Promise<void> {
  for (const path of paths) {
    const isThere = (await stat(resolve(cwd, path)).catch(() => null)) !== null
    if (isThere || /[\\/.]/.test(path)) continue
    throw wrongUsage(
      `"${path}" does not exist.`,
      `Put a query of several words in quotes: loadout search '${[query, ...paths].join(' ')}'.`,
    )
  }
}

async function writeReport(report: SearchReport, size: number, context: CliContext): Promise<void> {
  const { foundReport, nothingFoundLines } = await import('../../report/answers/found-report.ts')
  const { query, results, degraded } = report
  if (degraded !== undefined) context.stderr.write(`loadout: ${sanitiseLine(degraded)}\n`)
  if (results.length > 0) return printReport(foundReport(report), context)
  context.stderr.write(`loadout: ${nothingFoundLines(query, size).join('\n')}\n`)
}
