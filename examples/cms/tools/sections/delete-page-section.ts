import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { removeSection } from '../../database/sections.ts'
import { sectionId } from './section-id.ts'

export const cmsDeletePageSection = defineTool({
  name: 'cms_deletePageSection',
  description:
    'Delete one section of a page. This cannot be undone. ' +
    'The images it shows stay among the images of the site.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'sections',
  phrases: ['delete section', 'remove the hero', 'take a section off the page'],
  related: ['cms_getPageSections', 'cms_deletePageSections'],
  inputSchema: z.object({ section: sectionId }),
  outputSchema: z.object({ deleted: z.number() }),
  execute: ({ section }, { services: { database } }: CmsContext) => ({
    deleted: removeSection(database, section).id,
  }),
})
