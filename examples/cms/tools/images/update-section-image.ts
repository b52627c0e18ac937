import { defineTool, ToolError } from 'loadout'
import type { CmsContext } from '../../cms-services.ts'
import { setSectionImage } from '../../database/images.ts'
import { getSection } from '../../database/sections.ts'
import { sectionShape } from '../sections/section-shape.ts'
import { sectionImage } from './section-image.ts'

export const cmsUpdateSectionImage = defineTool({
  name: 'cms_updateSectionImage',
  description:
    'Show another image in a section, in place of the one that is there. ' +
    'The old image stays among the images of the site. Only this section changes.',
  category: 'action',
  topic: 'images',
  idempotent: true,
  phrases: ['update section image', 'change the hero image', 'swap the picture of a section'],
  related: ['cms_searchImages', 'cms_getSectionContent'],
  extraction: { path: '$root', type: 'section', nameField: 'name' },
  inputSchema: sectionImage,
  outputSchema: sectionShape,
  execute: (place, { services: { database } }: CmsContext) => {
    if (!Object.hasOwn(getSection(database, place.section).images, place.field)) {
      const message = `Section ${place.section} shows no image there yet. Use cms_addImageToSection.`
      throw new ToolError('CONFLICT', message)
    }
    setSectionImage(database, place)
    return getSection(database, place.section)
  },
})
