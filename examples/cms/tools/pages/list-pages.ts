import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listPages } from '../../database/pages.ts'
import { pageShape } from './page-shape.ts'

export const cmsListPages = defineTool({
  name: 'cms_listPages',
  description:
    'List all pages of the site. ' +
    'Gives slugs, titles and descriptions, in the order they were made.',
  category: 'retrieval',
  topic: 'pages',
  phrases: ['list pages', 'show all pages', 'what pages exist'],
  related: ['cms_getPage'],
  extraction: { path: 'pages', isArray: true, type: 'page', idField: 'slug', nameField: 'title' },
  outputSchema: z.object({ pages: z.array(pageShape) }),
  execute: (_, { services: { database } }: CmsContext) => ({ pages: [...listPages(database)] }),
})
