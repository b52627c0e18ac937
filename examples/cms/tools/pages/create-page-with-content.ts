import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { addPage } from '../../database/pages.ts'
import { addSection } from '../../database/sections.ts'
import { sectionContent } from '../sections/section-content.ts'
import { sectionShape } from '../sections/section-shape.ts'
import { newPage } from './new-page.ts'
import { pageShape } from './page-shape.ts'

export const cmsCreatePageWithContent = defineTool({
  name: 'cms_createPageWithContent',
  description: 'Create a page with its sections and their texts in one go, or nothing at all.',
  category: 'action',
  topic: 'pages',
  phrases: ['create page with content', 'make page with sections'],
  related: ['cms_getSectionFields', 'cms_addImageToSection'],
  guidance: {
    before: 'Know the fields of each template: cms_getSectionFields.',
    pitfalls: ['Images are put in afterwards, with cms_addImageToSection.'],
  },
  extraction: { path: 'page', type: 'page', idField: 'slug', nameField: 'title' },
  input: newPage.extend({
    sections: z.array(z.object({ template: z.string(), content: sectionContent })).min(1),
  }),
  output: z.object({ page: pageShape, sections: z.array(sectionShape) }),
  run: ({ sections, ...fields }, { services: { database } }: CmsContext) =>
    inTransaction(database, () => {
      const page = addPage(database, fields)
      const added = sections.map((section) => addSection(database, { page: page.slug, ...section }))
      return { page, sections: added }
    }),
})
