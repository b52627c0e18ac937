import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { addPage } from '../../database/pages.ts'
import { newPage } from './new-page.ts'
import { pageShape } from './page-shape.ts'

export const cmsCreatePage = defineTool({
  name: 'cms_createPage',
  description:
    'Create an empty page. It has no sections yet and is in no menu. ' +
    'Gives the page with the slug it got.',
  category: 'action',
  topic: 'pages',
  phrases: ['create page', 'new page', 'add page'],
  related: ['cms_addSectionToPage', 'cms_addNavigationItem'],
  guidance: { after: 'Add sections: an empty page shows nothing.' },
  extraction: { path: '$root', type: 'page', idField: 'slug', nameField: 'title' },
  inputSchema: newPage,
  outputSchema: pageShape,
  execute: (page, { services: { database } }: CmsContext) => addPage(database, page),
})
