import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { addNavigationItem } from '../../database/navigation.ts'
import { itemLink } from './item-link.ts'
import { itemShape } from './item-shape.ts'

export const cmsAddNavigationItem = defineTool({
  name: 'cms_addNavigationItem',
  description:
    "Add an item at the end of the site's menu. " +
    'It is shown at once. Gives the item with its id.',
  category: 'action',
  topic: 'navigation',
  phrases: ['add to menu', 'add navigation item', 'link the page in the menu'],
  related: ['cms_getNavigation', 'cms_toggleNavigationItem'],
  extraction: { path: '$root', type: 'navigation-item', nameField: 'label' },
  inputSchema: itemLink,
  outputSchema: itemShape,
  execute: (link, { services: { database } }: CmsContext) => addNavigationItem(database, link),
})
