import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { addPage } from '../../database/pages.ts'
import { addSection } from '../../database/sections.ts'
import { sectionContent } from '../sections/section-content.ts'
import { sectionShape } from '../sections/section-shape.ts'
import { templateKey } from '../sections/template-key.ts'
import { newPage } from './new-page.ts'
import { pageShape } from './page-shape.ts'

export const cmsCreatePageWithContent = defineTool({
  name: 'cms_createPageWithContent',
  description:
    'Create a page with its sections and their texts in one go, or nothing at all. ' +
    'Prefer it to cms_createPage when the texts are known. Gives the page and its sections with their ids.',
  category: 'action',
  topic: 'pages',
  phrases: ['create page with content', 'make page with sections'],
  related: ['cms_getSectionFields', 'cms_addImageToSection'],
  guidance: {
    before: 'Know the fields of each template: cms_getSectionFields.',
    pitfalls: ['Images are put in afterwards, with cms_addImageToSection.'],
  },
  inputSchema: newPage.extend({
    sections: z
      .array(z.object({ template: templateKey, content: sectionContent }))
      .min(1)
      .describe('From the top of the page down.'),
  }),
  outputSchema: z.object({ page: pageShape, sections: z.array(sectionShape) }),
  // What comes next is about its sections, so a schema for the page alone would not do.
  extract: ({ page, sections }) => [
    { type: 'page', id: page.slug, name: page.title },
    ...sections.map(({ id, name }) => ({ type: 'section', id: String(id), name })),
  ],
  execute: ({ sections, ...fields }, { services: { database } }: CmsContext) =>
    inTransaction(database, () => {
      const page = addPage(database, fields)
      const added = sections.map((section) => addSection(database, { page: page.slug, ...section }))
      return { page, sections: added }
    }),
})
