import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { removeNavigationItem } from '../../database/navigation.ts'
import { itemId } from './item-id.ts'

export const cmsRemoveNavigationItem = defineTool({
  name: 'cms_removeNavigationItem',
  description:
    'Remove an item from the menu for good. The page it leads to stays. ' +
    'To take it out of sight only, use cms_toggleNavigationItem.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'navigation',
  phrases: ['remove menu item', 'delete from navigation'],
  related: ['cms_getNavigation', 'cms_toggleNavigationItem'],
  guidance: { before: 'Offer to hide it instead: cms_toggleNavigationItem.' },
  inputSchema: z.object({ item: itemId }),
  outputSchema: z.object({ removed: z.string() }),
  execute: ({ item }, { services: { database } }: CmsContext) => ({
    removed: removeNavigationItem(database, item).label,
  }),
})
