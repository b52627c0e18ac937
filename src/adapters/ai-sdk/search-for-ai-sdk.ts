import type { ToolSearch } from '../../search/rank/search-answer.ts'

/** The callback of the SDK's own `toolSearch`. */
export type AiSdkSearch = (request: {
  readonly query: string
  readonly tools: readonly { readonly name: string; readonly description?: string }[]
}) => Promise<string[]>

/** Results looked at: of the best of all tools, those the step may find are taken. */
const MAX_RESULTS = 200

/**
 * A ranking of ours for the SDK's `toolSearch({ search })`, for hosts that keep their tools in the
 * SDK and defer them there.
 *
 *     const index = createToolIndex(documents)
 *     tools: { search: toolSearch({ search: searchForAiSdk(index) }), ...deferred }
 *
 * Names are the documents' names; what is in the index and not among the step's tools is left out.
 */
export function searchForAiSdk(search: ToolSearch): AiSdkSearch {
  return async ({ query, tools }) => {
    const offered = new Set(tools.map(({ name }) => name))
    const { results } = await search.search(query, { limit: MAX_RESULTS })
    return results.flatMap(({ kind, name }) => (kind === 'tool' && offered.has(name) ? name : []))
  }
}
