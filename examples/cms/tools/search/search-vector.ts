import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { nearest } from '../../database/nearest.ts'
import { resources } from '../../database/resources.ts'
import { resultLimit } from '../result-limit.ts'
import { resourceShape } from './resource-shape.ts'

export const searchVector = defineTool({
  name: 'search_vector',
  description:
    'Search everything on the site by what it says: pages, sections, posts, entries. ' +
    'Gives the type, the id and the beginning of the text of each. Scores nearer to 0 are better.',
  category: 'retrieval',
  topic: 'search',
  phrases: ['search the content', 'where do we mention', 'find text about', 'semantic search'],
  related: ['cms_findResource'],
  inputSchema: z.object({
    query: z.string().min(1).describe('What it is about, in words it may use.'),
    limit: resultLimit,
  }),
  outputSchema: z.object({
    results: z.array(resourceShape.extend({ text: z.string(), score: z.number() })),
  }),
  extract: ({ results }) => results,
  execute: ({ query, limit }, { services: { database } }: CmsContext) => ({
    results: nearest(query, resources(database), ({ name, text }) => `${name} ${text}`, limit).map(
      (found) => ({ ...found, text: found.text.slice(0, 200) }),
    ),
  }),
})
