import { tool } from 'ai'
import { z } from 'zod'

function answering(name: string) {
  return tool({
    description: `${name} of the host`,
    inputSchema: z.object({ query: z.string() }),
    execute: async ({ query }) => `${name}: ${query}`,
  })
}

/** The host's tools of the whole project. */
export const HOST_TOOLS = {
  basicSearch: answering('basicSearch'),
  advancedSearch: answering('advancedSearch'),
  filterByDate: answering('filterByDate'),
  analyzeStatistics: answering('analyzeStatistics'),
}

export { answering }
