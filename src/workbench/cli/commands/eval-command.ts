import { join, resolve } from 'node:path'
import { Option } from 'commander'
import { WorkspaceError } from '../../../entries/index.ts'
import type { ToolSearch } from '../../../entries/search.ts'
import type { EvalReport } from './eval/eval-report.ts'
import { openCatalog } from '../opening/open-catalog.ts'
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
import { wrongUsage } from '../shell/wrong-usage.ts'

interface EvalCommandOptions extends ReadingOptions, SearchOptions {
  readonly queries?: string
  readonly minRecall5?: number
  readonly misses?: true
}

/** `loadout eval`: measure how well queries find the expected tools and skills. */
export const evalCommand: CliCommand<EvalCommandOptions> = {
  name: 'eval',
  summary: 'Measure search quality on queries: recall, nDCG, MRR, latency',
  description:
    'Run queries against the search and measure its answers. Give one folder with tools.jsonl and ' +
    'queries.jsonl. Or give --queries, to search the skills and tools at the paths and to check their ' +
    'descriptions in CI.\n\n' +
    'Each line of the queries is like {"query": "money back", "gold": ["refund_order"]}, where "gold" ' +
    'lists the expected names; an empty list expects no result.',
  arguments: '[paths...]',
  options: () => [
    new Option('--queries <file>', 'File of queries for the skills and tools at the paths'),
    new Option('--min-recall5 <value>', 'Exit with code 1 if recall@5 is lower (0 to 1)').argParser(
      numberBetween(0, 1, false),
    ),
    new Option('--misses', 'List the queries that miss an expected name in the first five results'),
    ...searchOptions(),
    ...readingOptions(),
  ],
  examples: [
    'loadout eval examples/workbench --trust --queries examples/workbench/requests.jsonl --min-recall5 0.8',
  ],
  async run({ words, options, context }) {
    const [{ readEvalQueries }, { openSearch }, { listMisses, writeEvalReport }, { evaluate }] =
      await Promise.all([
        import('./eval/read-eval-queries.ts'),
        import('../opening/open-search.ts'),
        import('./eval/eval-report.ts'),
        import('../../../entries/search.ts'),
      ])
    const { documents, file } = await readEvalSet(words, options, context)
    const search = await openSearch(documents, options, context)
    try {
      const queries = await readEvalQueries(file, search.documents)
      await search.prepare()
      const evaluation = await evaluate(refuseDegraded(search), queries, () => performance.now())
      const { outcomes, ...figures } = evaluation
      const report: EvalReport = {
        documents: search.documents.length,
        queries: queries.length,
        ...figures,
        ...(options.misses === true && { misses: listMisses(outcomes, queries) }),
      }
      if (options.json === true) context.stdout.write(jsonText(report))
      else writeEvalReport(report, context)
      return refuseBelow(report, options, context) ? 1 : 0
    } finally {
      await search.close()
    }
  },
}

async function readEvalSet(
  words: readonly string[],
  options: EvalCommandOptions,
  context: CliContext,
) {
  if (options.queries !== undefined) {
    const { documentsOf } = await import('../../../entries/search.ts')
    const { catalog } = await openCatalog(words, options, context, { home: true })
    return { documents: documentsOf(catalog), file: resolve(context.cwd, options.queries) }
  }
  const [word, ...more] = words
  if (word === undefined || more.length > 0) {
    throw wrongUsage(
      word === undefined ? 'No folder is given.' : 'Only one folder can be evaluated.',
      'Give a folder with tools.jsonl and queries.jsonl, or paths to skills and --queries <file>.',
    )
  }
  const { readEvalTools } = await import('./eval/read-eval-queries.ts')
  const folder = resolve(context.cwd, word)
  return {
    documents: await readEvalTools(join(folder, 'tools.jsonl')),
    file: join(folder, 'queries.jsonl'),
  }
}

/** Wraps a search so that it throws when vectors fail, because its figures would be wrong. */
function refuseDegraded(search: ToolSearch): ToolSearch {
  return {
    async search(query, options) {
      const answer = await search.search(query, options)
      if (answer.degraded === undefined) return answer
      throw new WorkspaceError('EVAL_DEGRADED', `The query "${query}" failed. ${answer.degraded}`, {
        facts: { query },
        hint: 'Try again when the embedding server works, or without --embed.',
      })
    },
  }
}

/** Reports on stderr, and returns true, when recall is too low. */
function refuseBelow(
  { recall5, queries, noMatch }: EvalReport,
  { minRecall5 }: EvalCommandOptions,
  context: CliContext,
): boolean {
  if (minRecall5 === undefined) return false
  if (queries === noMatch.wanted) {
    context.stderr.write('loadout: no query expects a name, so recall@5 cannot be measured.\n')
    return true
  }
  if (recall5 >= minRecall5) return false
  context.stderr.write(
    `loadout: recall@5 is ${recall5.toFixed(3)}, below ${minRecall5}. List the queries with --misses.\n`,
  )
  return true
}
