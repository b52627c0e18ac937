import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { removePage } from '../../database/pages.ts'
import { pageSlug } from './page-slug.ts'

export const cmsDeletePage = defineTool({
  name: 'cms_deletePage',
  description:
    'Delete a page with all its sections. This cannot be undone. ' +
    'Links to it stay as they are, and then lead nowhere.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'pages',
  phrases: ['delete page', 'remove page', 'get rid of a page'],
  related: ['cms_getNavigation', 'cms_removeNavigationItem'],
  guidance: { after: 'Look for links to it in the menu, and remove those, too.' },
  inputSchema: z.object({ page: pageSlug }),
  outputSchema: z.object({ deleted: z.string() }),
  execute: ({ page }, { services: { database } }: CmsContext) => ({
    deleted: removePage(database, page).slug,
  }),
})
