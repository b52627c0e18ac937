import { defineTool } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { setSectionImage } from '../../database/images.ts'
import { getSection } from '../../database/sections.ts'
import { sectionShape } from '../sections/section-shape.ts'
import { sectionImage } from './section-image.ts'

export const cmsAddImageToSection = defineTool({
  name: 'cms_addImageToSection',
  description:
    'Put an image of the site into a field of a section that has none there yet. ' +
    'To get an image that the site does not have, use Pexels first.',
  category: 'action',
  topic: 'images',
  idempotent: true,
  phrases: ['add image to section', 'put a picture into the hero', 'set section image'],
  related: ['cms_searchImages', 'cms_getSectionFields'],
  extraction: { path: '$root', type: 'section', nameField: 'name' },
  inputSchema: sectionImage,
  outputSchema: sectionShape,
  execute: (place, { services: { database } }: CmsContext) => {
    setSectionImage(database, place)
    return getSection(database, place.section)
  },
})
