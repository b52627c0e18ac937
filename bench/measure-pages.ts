import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createCatalog, defineTool, VirtualWorkspace, type TokenCounter } from 'loadout'
import { createToolIndex } from 'loadout/search'
import { recall, type SetQuery, type SetTool, type ToolSet } from './read-tool-set.ts'
import { samplesOf, type Samples } from './take-samples.ts'

/** The pages of one set, with one limit of results. */
export interface PageFigures {
  readonly tools: number
  readonly queries: number
  readonly limit: number
  /** Tokens of a page without its rules; the budget is for each page. */
  readonly page: Samples & { readonly mean: number; readonly most: number }
  /** Tokens of the full definitions of the same tools. */
  readonly definitions: { readonly mean: number }
  /** The part of the wanted tools on the page, and the part that the index alone finds. */
  readonly recall: { readonly page: number; readonly index: number }
  /** Results of a page, and how many of them had their full schema, or were shortened. */
  readonly results: { readonly mean: number; readonly full: number; readonly shortened: number }
  /** Milliseconds of a call of `tool_search`, with its four entries logged in memory. */
  readonly call: Samples
}

interface Page {
  readonly tools: readonly { readonly name: string; readonly inputSchema?: unknown }[]
  readonly shortened: readonly string[]
}

/** Counts tokens as sessions do by default. Marks of a tokenizer in a text count as text. */
export const counter: TokenCounter = {
  name: 'o200k_base',
  count: (text) => countTokens(text, { disallowedSpecial: new Set() }),
}

/** Asks a session for every query of a set, each in a turn of its own, and measures the pages. */
export async function measurePages(set: ToolSet, limit: number): Promise<PageFigures> {
  const tools = set.tools.map((tool) => defineTool({ ...specOf(tool), execute: () => null }))
  const index = createToolIndex(
    tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  )
  const byName = new Map(set.tools.map((tool) => [tool.name, tool]))
  const catalog = await createCatalog({ tools })
  const workspace = await VirtualWorkspace.open({
    catalog,
    discovery: { limit, keep: { cap: 10 } },
    tokenCounter: counter,
  })
  const pages: { readonly query: SetQuery; readonly page: Page; readonly ms: number }[] = []
  for (const query of set.queries) {
    await workspace.beginTurn()
    const start = performance.now()
    const response = await workspace.callTool('tool_search', { query: query.query })
    const ms = performance.now() - start
    if (!response.ok) throw new Error(response.error.message)
    pages.push({ query, page: response.data as Page, ms })
  }
  const tokens = pages.map(({ page }) => counter.count(JSON.stringify({ ...page, rules: '' })))
  const namesOf = ({ tools: found }: Page) => found.map(({ name }) => name)
  const found = (query: string) => index.search(query, { limit }).results.map(({ name }) => name)
  return {
    tools: set.tools.length,
    queries: set.queries.length,
    limit,
    page: { ...samplesOf(tokens), mean: mean(tokens), most: Math.max(...tokens) },
    definitions: {
      mean: mean(
        pages.map(({ page }) =>
          counter.count(JSON.stringify(namesOf(page).map((name) => specOf(byName.get(name))))),
        ),
      ),
    },
    recall: {
      page: mean(pages.map(({ query, page }) => recall(query, namesOf(page)))),
      index: mean(set.queries.map((query) => recall(query, found(query.query)))),
    },
    results: {
      mean: mean(pages.map(({ page }) => page.tools.length)),
      full: mean(pages.map(({ page }) => page.tools.filter((one) => one.inputSchema).length)),
      shortened: mean(pages.map(({ page }) => shortenedOf(page))),
    },
    call: samplesOf(pages.map(({ ms }) => ms)),
  }
}

/** `*` means all of them. */
function shortenedOf({ tools, shortened }: Page): number {
  return shortened[0] === '*' ? tools.length : shortened.length
}

const NO_ARGUMENTS = { type: 'object', properties: {} }

/** Returns a tool of a set in the form of `defineTool`. */
export function specOf(tool: SetTool | undefined) {
  const { name = '', description, inputSchema = NO_ARGUMENTS } = tool ?? {}
  // Some servers describe a tool with nothing.
  return { name, description: description || name, inputSchema: withoutOldBounds(inputSchema) }
}

/** One server writes `exclusiveMinimum: true`, as draft 4 had it; draft 2020-12 takes a number. */
function withoutOldBounds(schema: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key.startsWith('exclusiveM') && value === true ? undefined : value,
  ) as Readonly<Record<string, unknown>>
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0)
  return Number((sum / values.length).toPrecision(4))
}
