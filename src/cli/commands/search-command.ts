import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
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
} from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { writeTable } from '../shell/write-table.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import type { SearchMatch } from '../../search/rank/search-answer.ts'

interface SearchCommandOptions extends ReadingOptions, SearchOptions {
  readonly limit?: number
}

const MOST = 100

/** `loadout search`: what an agent's `tool_search` would rank first, and why. */
export const searchCommand: CliCommand<SearchCommandOptions> = {
  name: 'search',
  summary: 'find tools and skills for a request, as an agent would',
  description:
    "Rank tools and skills for a request in a person's words, by the index that tool_search uses. " +
    'MATCHED says in which fields which words were found. Confidence is how sure the words are ' +
    'that the first one is meant, from 0 to 1. Exits with 1 when nothing fits.',
  arguments: '<query> [paths...]',
  options: () => [
    new Option('--limit <n>', 'results at most; 5 by default').argParser(
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
    if (query.trim() === '') throw wrongUsage('There is no query.', 'Say what to look for.')
    await refuseUnquoted(query, paths, context.cwd)
    const [{ openSearch }, { documentsOf }, { searchReport }] = await Promise.all([
      import('../opening/open-search.ts'),
      import('../../search/catalog-index.ts'),
      import('../opening/open-search.ts'),
    ])
    const opened = await openCatalog(paths, options, context, { home: true })
    const documents = documentsOf(opened.catalog)
    const search = await openSearch(documents, options, context)
    try {
      // The answer itself says why there are no vectors.
      await search.prepare().catch(() => {})
      const { limit } = options
      const answer = await search.search(query, limit === undefined ? {} : { limit })
      const report = searchReport(query, answer, documents, opened)
      if (options.json === true) context.stdout.write(jsonText(report))
      else writeReport(report, search.documents.length, context)
      return report.results.length === 0 ? 1 : 0
    } finally {
      await search.close()
    }
  },
}

/** Words of a query without quotes arrive as paths: say so where nothing stands there. */
async function refuseUnquoted(query: string, paths: readonly string[], cwd: string): Promise<void> {
  for (const path of paths) {
    const isThere = (await stat(resolve(cwd, path)).catch(() => null)) !== null
    if (isThere || /[\\/.]/.test(path)) continue
    throw wrongUsage(
      `There is nothing at "${path}".`,
      `A query of several words stands in quotes: loadout search '${[query, ...paths].join(' ')}'.`,
    )
  }
}

function writeReport(report: SearchReport, size: number, context: CliContext): void {
  const { query, results, confidence, route, degraded } = report
  if (degraded !== undefined) context.stderr.write(`loadout: ${sanitiseLine(degraded)}\n`)
  if (results.length === 0) {
    const among = size === 1 ? 'the one definition' : `${size} tools and skills`
    context.stderr.write(
      `loadout: nothing fits "${sanitiseLine(query.slice(0, 120))}" among ${among}.\n` +
        'Try the action and the thing in a few specific words, such as "create page".\n',
    )
    return
  }
  writeTable(
    ['SCORE', 'KIND', 'NAME', 'OWNER', 'MATCHED'],
    results.map(({ score, kind, name, owner, matched }) => [
      { text: score.toFixed(2) },
      { text: kind, colour: 'dim' },
      { text: name },
      { text: owner ?? '-' },
      { text: matched.length === 0 ? 'by vectors' : matched.map(matchText).join('; ') },
    ]),
    context,
  )
  const by = { lexical: 'words', vectors: 'vectors', fused: 'words and vectors' }[route]
  context.stdout.write(`\nconfidence ${confidence.toFixed(2)}, by ${by}\n`)
}

function matchText({ field, terms }: SearchMatch): string {
  return `${field}: ${terms.join(' ')}`
}
