import type { ToolSearch } from '../../../entries/search.ts'

/** The callback of the SDK's own `toolSearch`. */
export type AiSdkSearch = (request: {
  readonly query: string
  readonly tools: readonly { readonly name: string; readonly description?: string }[]
}) => Promise<string[]>

/** Number of results to fetch; those among the tools of the step are taken. */
const MAX_RESULTS = 200

/**
 * Makes a search for the SDK's `toolSearch({ search })`, for hosts that keep their tools in the SDK
 * and defer them there.
 *
 *     const index = createToolIndex(documents)
 *     tools: { search: toolSearch({ search: searchForAiSdk(index) }), ...deferred }
 *
 * Names are the documents' names. A tool of the index that the step does not offer is left out.
 */
export function searchForAiSdk(search: ToolSearch): AiSdkSearch {
  return async ({ query, tools }) => {
    const offered = new Set(tools.map(({ name }) => name))
    const { results } = await search.search(query, { limit: MAX_RESULTS })
    return results.flatMap(({ kind, name }) => (kind === 'tool' && offered.has(name) ? name : []))
  }
}
