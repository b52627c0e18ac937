import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { getSection } from '../../database/sections.ts'
import { sectionId } from './section-id.ts'
import { sectionShape } from './section-shape.ts'

export const cmsGetSectionContent = defineTool({
  name: 'cms_getSectionContent',
  description:
    'Get the texts and images of one section. ' +
    'Use it before a text is changed in part; to find a section, use cms_getPageSections.',
  category: 'retrieval',
  topic: 'sections',
  phrases: ['section content', 'read a section', 'what is the hero heading'],
  related: ['cms_updateSectionContent'],
  extraction: { path: '$root', type: 'section', nameField: 'name' },
  inputSchema: z.object({ section: sectionId }),
  outputSchema: sectionShape,
  execute: ({ section }, { services: { database } }: CmsContext) => getSection(database, section),
})
