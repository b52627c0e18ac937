import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { changeNavigationItem } from '../../database/navigation.ts'
import { itemId } from './item-id.ts'
import { itemLink } from './item-link.ts'
import { itemShape } from './item-shape.ts'

export const cmsUpdateNavigationItem = defineTool({
  name: 'cms_updateNavigationItem',
  description:
    'Change what an item of the menu says or where it leads. What is not given stays. ' +
    'To show or hide it, use cms_toggleNavigationItem.',
  category: 'action',
  topic: 'navigation',
  idempotent: true,
  phrases: ['update navigation menu', 'rename menu item', 'change a menu link'],
  related: ['cms_getNavigation'],
  extraction: { path: '$root', type: 'navigation-item', nameField: 'label' },
  inputSchema: itemLink.partial().extend({ item: itemId }),
  outputSchema: itemShape,
  execute: ({ item, ...changes }, { services: { database } }: CmsContext) =>
    changeNavigationItem(database, item, changes),
})
