import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { getPage } from '../../database/pages.ts'
import { sectionsOf } from '../../database/sections.ts'
import { pageShape } from './page-shape.ts'
import { pageSlug } from './page-slug.ts'

export const cmsGetPage = defineTool({
  name: 'cms_getPage',
  description:
    'Get one page by its slug: its title, its description, and which sections it has. ' +
    'For the texts of its sections use cms_getPageSections.',
  category: 'retrieval',
  topic: 'pages',
  phrases: ['get page', 'find page', 'show page', 'page details'],
  related: ['cms_getPageSections', 'cms_listPages'],
  extraction: { path: '$root', type: 'page', idField: 'slug', nameField: 'title' },
  inputSchema: z.object({ page: pageSlug }),
  outputSchema: pageShape.extend({
    sections: z.array(z.object({ id: z.number(), template: z.string() })),
  }),
  execute: ({ page }, { services: { database } }: CmsContext) => ({
    ...getPage(database, page),
    sections: sectionsOf(database, page).map(({ id, template }) => ({ id, template })),
  }),
})
