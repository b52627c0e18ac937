import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { addSection } from '../../database/sections.ts'
import { pageSlug } from '../pages/page-slug.ts'
import { sectionContent } from './section-content.ts'
import { sectionShape } from './section-shape.ts'
import { templateKey } from './template-key.ts'

export const cmsAddSectionToPage = defineTool({
  name: 'cms_addSectionToPage',
  description:
    'Add a section at the end of a page. ' +
    'Content has to have every required text field of the template. Gives the section with its id.',
  category: 'action',
  topic: 'sections',
  phrases: ['add section to page', 'new section', 'insert a hero', 'put a block on the page'],
  related: ['cms_getSectionFields', 'cms_addImageToSection'],
  guidance: { before: 'Know the fields of the template: cms_getSectionFields.' },
  extraction: { path: '$root', type: 'section', nameField: 'name' },
  inputSchema: z.object({ page: pageSlug, template: templateKey, content: sectionContent }),
  outputSchema: sectionShape,
  execute: (section, { services: { database } }: CmsContext) => addSection(database, section),
})
