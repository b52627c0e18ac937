import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { changeNavigationItem, getNavigationItem } from '../../database/navigation.ts'
import { itemId } from './item-id.ts'
import { itemShape } from './item-shape.ts'

export const cmsToggleNavigationItem = defineTool({
  name: 'cms_toggleNavigationItem',
  description:
    'Hide an item of the menu that is shown, or show one that is hidden. ' +
    'Look with cms_getNavigation first: a second call undoes the first.',
  category: 'action',
  topic: 'navigation',
  phrases: ['hide menu item', 'show menu item', 'toggle navigation'],
  related: ['cms_getNavigation'],
  extraction: { path: '$root', type: 'navigation-item', nameField: 'label' },
  inputSchema: z.object({ item: itemId }),
  outputSchema: itemShape,
  execute: ({ item }, { services: { database } }: CmsContext) => {
    const { visible } = getNavigationItem(database, item)
    return changeNavigationItem(database, item, { visible: !visible })
  },
})
