import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listNavigation } from '../../database/navigation.ts'
import { itemShape } from './item-shape.ts'

export const cmsGetNavigation = defineTool({
  name: 'cms_getNavigation',
  description:
    "Get the site's menu: its items in order, hidden ones too. " +
    'Gives the id of each item, which the tools that change one take.',
  category: 'retrieval',
  topic: 'navigation',
  phrases: ['get navigation', 'show the menu', 'what is in the menu'],
  related: ['cms_addNavigationItem', 'cms_updateNavigationItem'],
  extraction: { path: 'items', isArray: true, type: 'navigation-item', nameField: 'label' },
  outputSchema: z.object({ items: z.array(itemShape) }),
  execute: (_, { services: { database } }: CmsContext) => ({
    items: [...listNavigation(database)],
  }),
})
