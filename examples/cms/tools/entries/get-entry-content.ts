import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { getEntry } from '../../database/entries.ts'

export const cmsGetEntryContent = defineTool({
  name: 'cms_getEntryContent',
  description:
    'Get one entry of a collection with its whole text. ' +
    'The id comes from cms_getCollectionEntries or from a search.',
  category: 'retrieval',
  topic: 'entries',
  phrases: ['read an entry', 'entry details', 'answer of a FAQ question'],
  related: ['cms_getCollectionEntries'],
  extraction: { path: '$root', type: 'entry', nameField: 'title' },
  inputSchema: z.object({ entry: z.number().int().min(1).describe('The id of the entry.') }),
  outputSchema: z.object({
    id: z.number(),
    collection: z.string(),
    title: z.string(),
    content: z.string(),
  }),
  execute: ({ entry }, { services: { database } }: CmsContext) => getEntry(database, entry),
})
