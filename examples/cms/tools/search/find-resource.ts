import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { nearest } from '../../database/nearest.ts'
import { resources } from '../../database/resources.ts'
import { resultLimit } from '../result-limit.ts'
import { resourceShape } from './resource-shape.ts'

export const cmsFindResource = defineTool({
  name: 'cms_findResource',
  description:
    'Find a page, section, image, post or entry by its name, when its id is not known. ' +
    'Spelling need not be right. To search by what things say, use search_vector.',
  category: 'retrieval',
  topic: 'search',
  phrases: ['find by name', 'look up an id', 'look up a resource', 'fuzzy find'],
  related: ['search_vector', 'cms_getPage'],
  inputSchema: z.object({
    name: z.string().min(1).describe('Its name, as far as it is known.'),
    limit: resultLimit,
  }),
  outputSchema: z.object({ matches: z.array(resourceShape.extend({ score: z.number() })) }),
  // The type stands in each match, so no schema can name it.
  extract: ({ matches }) => matches,
  execute: ({ name, limit }, { services: { database } }: CmsContext) => ({
    matches: nearest(name, resources(database), (one) => one.name, limit).map(
      ({ type, id, name: found, score }) => ({ type, id, name: found, score }),
    ),
  }),
})
