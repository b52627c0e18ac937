import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { removeSection } from '../../database/sections.ts'
import { sectionId } from './section-id.ts'

export const cmsDeletePageSections = defineTool({
  name: 'cms_deletePageSections',
  description:
    'Delete several sections at once: all of them, or none. This cannot be undone. ' +
    'They may be of different pages.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'sections',
  phrases: ['delete sections', 'remove several sections', 'clear a page'],
  related: ['cms_getPageSections', 'cms_deletePageSection'],
  inputSchema: z.object({
    sections: z.array(sectionId).min(1).describe('The ids of the sections.'),
  }),
  outputSchema: z.object({ deleted: z.array(z.number()) }),
  execute: ({ sections }, { services: { database } }: CmsContext) =>
    inTransaction(database, () => ({
      deleted: sections.map((section) => removeSection(database, section).id),
    })),
})
