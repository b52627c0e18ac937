import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { changeSection } from '../../database/sections.ts'
import { sectionContent } from './section-content.ts'
import { sectionId } from './section-id.ts'
import { sectionShape } from './section-shape.ts'

export const cmsUpdateSectionContent = defineTool({
  name: 'cms_updateSectionContent',
  description:
    'Change texts of a section, such as its heading. Fields that are not given stay. ' +
    'For its images use cms_updateSectionImage. Gives the section as it is now.',
  category: 'action',
  topic: 'sections',
  idempotent: true,
  phrases: ['update section', 'change the heading', 'edit the hero text', 'rewrite a section'],
  related: ['cms_getPageSections', 'cms_getSectionFields'],
  extraction: { path: '$root', type: 'section', nameField: 'name' },
  inputSchema: z.object({ section: sectionId, content: sectionContent }),
  outputSchema: sectionShape,
  execute: ({ section, content }, { services: { database } }: CmsContext) =>
    changeSection(database, section, content),
})
