import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { entriesOf } from '../../database/entries.ts'

export const cmsGetCollectionEntries = defineTool({
  name: 'cms_getCollectionEntries',
  description:
    'List the entries of a collection, such as the FAQ, without their text. ' +
    'Gives ids and titles; for the text of one use cms_getEntryContent.',
  category: 'retrieval',
  topic: 'entries',
  phrases: ['list collection entries', 'show the FAQ', 'guest book entries'],
  related: ['cms_getEntryContent'],
  extraction: { path: 'entries', isArray: true, type: 'entry', nameField: 'title' },
  inputSchema: z.object({
    collection: z.string().describe('The slug of the collection, such as "faq".'),
  }),
  outputSchema: z.object({ entries: z.array(z.object({ id: z.number(), title: z.string() })) }),
  execute: ({ collection }, { services: { database } }: CmsContext) => ({
    entries: entriesOf(database, collection).map(({ id, title }) => ({ id, title })),
  }),
})
