import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { sectionsOf } from '../../database/sections.ts'
import { pageSlug } from '../pages/page-slug.ts'
import { sectionShape } from './section-shape.ts'

export const cmsGetPageSections = defineTool({
  name: 'cms_getPageSections',
  description:
    'Get the sections of a page in order, with their texts and images. ' +
    'Gives the id of each section, which tools that change one take.',
  category: 'retrieval',
  topic: 'sections',
  phrases: ['page sections', 'what is on the page', 'sections of the home page'],
  related: ['cms_getSectionContent', 'cms_updateSectionContent'],
  extraction: { path: 'sections', isArray: true, type: 'section', nameField: 'name' },
  inputSchema: z.object({ page: pageSlug }),
  outputSchema: z.object({ sections: z.array(sectionShape) }),
  execute: ({ page }, { services: { database } }: CmsContext) => ({
    sections: [...sectionsOf(database, page)],
  }),
})
