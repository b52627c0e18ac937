import { join, resolve } from 'node:path'
import { Option } from 'commander'
import type { EvalReport } from './eval-report.ts'
import { openCatalog } from '../opening/open-catalog.ts'
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
import { wrongUsage } from '../shell/wrong-usage.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ToolDocument } from '../../search/index/tool-document.ts'
import type { ToolSearch } from '../../search/rank/search-answer.ts'

interface EvalCommandOptions extends ReadingOptions, SearchOptions {
  readonly queries?: string
  readonly minRecall5?: number
  readonly misses?: true
}

/** `loadout eval`: how well requests find what they should, and whether that is good enough. */
export const evalCommand: CliCommand<EvalCommandOptions> = {
  name: 'eval',
  summary: 'judge a search on requests: recall, nDCG, MRR, latency',
  description:
    'Put requests to the search and judge its answers. A folder with tools.jsonl and queries.jsonl ' +
    'is a set of its own; with --queries the requests are put to the skills and tools of the paths, ' +
    'so that their descriptions can be judged in CI. A request is a line ' +
    '{"query": "money back", "gold": ["refund_order"]}; an empty gold wants "nothing fits".',
  arguments: '[paths...]',
  options: () => [
    new Option('--queries <file>', 'requests to put to the skills and tools of the paths'),
    new Option('--min-recall5 <part>', 'exit with 1 when recall@5 is below this').argParser(
      numberBetween(0, 1, false),
    ),
    new Option('--misses', 'list the requests that missed something among the first five'),
    ...searchOptions(),
    ...readingOptions(),
  ],
  examples: [
    'loadout eval examples/workbench --trust --queries examples/workbench/requests.jsonl --min-recall5 0.8',
  ],
  async run({ words, options, context }) {
    const [{ readEvalQueries }, { openSearch }, { missesOf, writeEvalReport }, { evaluate }] =
      await Promise.all([
        import('./read-eval-queries.ts'),
        import('../opening/open-search.ts'),
        import('./eval-report.ts'),
        import('../../search/evaluate.ts'),
      ])
    const { documents, file } = await setOf(words, options, context)
    const search = await openSearch(documents, options, context)
    try {
      const queries = await readEvalQueries(file, search.documents)
      await search.prepare()
      const judged = await evaluate(refuseDegraded(search), queries, () => performance.now())
      const { outcomes, ...figures } = judged
      const report: EvalReport = {
        documents: search.documents.length,
        queries: queries.length,
        ...figures,
        ...(options.misses === true && { misses: missesOf(outcomes, queries) }),
      }
      if (options.json === true) context.stdout.write(jsonText(report))
      else writeEvalReport(report, context)
      return refuseBelow(report, options, context) ? 1 : 0
    } finally {
      await search.close()
    }
  },
}

interface EvalSet {
  readonly documents: readonly ToolDocument[]
  /** The file of requests. */
  readonly file: string
}

async function setOf(
  words: readonly string[],
  options: EvalCommandOptions,
  context: CliContext,
): Promise<EvalSet> {
  if (options.queries !== undefined) {
    const { documentsOf } = await import('../../search/catalog-index.ts')
    const { catalog } = await openCatalog(words, options, context, { home: true })
    return { documents: documentsOf(catalog), file: resolve(context.cwd, options.queries) }
  }
  const [word, ...more] = words
  if (word === undefined || more.length > 0) {
    throw wrongUsage(
      word === undefined ? 'There is nothing to judge.' : 'A set is one folder.',
      'Give a folder with tools.jsonl and queries.jsonl, or skills and --queries <file>.',
    )
  }
  const { readEvalTools } = await import('./read-eval-queries.ts')
  const folder = resolve(context.cwd, word)
  return {
    documents: await readEvalTools(join(folder, 'tools.jsonl')),
    file: join(folder, 'queries.jsonl'),
  }
}

/** Figures of words are none of vectors: a search that could not use them ends the judging. */
function refuseDegraded(search: ToolSearch): ToolSearch {
  return {
    async search(query, options) {
      const answer = await search.search(query, options)
      if (answer.degraded === undefined) return answer
      throw new WorkspaceError('EVAL_DEGRADED', `"${query}" was not judged. ${answer.degraded}`, {
        facts: { query },
        hint: 'Judge again when the model answers, or without --embed.',
      })
    },
  }
}

/** Say on stderr that the gate is not passed. */
function refuseBelow(
  { recall5, queries, noMatch }: EvalReport,
  { minRecall5 }: EvalCommandOptions,
  context: CliContext,
): boolean {
  if (minRecall5 === undefined) return false
  if (queries === noMatch.wanted) {
    context.stderr.write('loadout: no request has an answer, so there is no recall@5.\n')
    return true
  }
  if (recall5 >= minRecall5) return false
  context.stderr.write(
    `loadout: recall@5 is ${recall5.toFixed(3)}, below ${minRecall5}. --misses says which requests.\n`,
  )
  return true
}
