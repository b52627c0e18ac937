import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { changePage } from '../../database/pages.ts'
import { newPage } from './new-page.ts'
import { pageShape } from './page-shape.ts'
import { pageSlug } from './page-slug.ts'

export const cmsUpdatePage = defineTool({
  name: 'cms_updatePage',
  description:
    "Change a page's title or its description. What is not given stays. " +
    'The slug cannot be changed. Texts of the page itself are in its sections.',
  category: 'action',
  topic: 'pages',
  idempotent: true,
  phrases: ['update page', 'edit page', 'change page'],
  related: ['cms_getPage', 'cms_updateSectionContent'],
  extraction: { path: '$root', type: 'page', idField: 'slug', nameField: 'title' },
  inputSchema: newPage.pick({ description: true }).extend({
    page: pageSlug,
    title: newPage.shape.title.optional(),
  }),
  outputSchema: pageShape,
  execute: ({ page, ...changes }, { services: { database } }: CmsContext) =>
    changePage(database, page, changes),
})
