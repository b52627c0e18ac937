import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { getImage, replaceImage } from '../../database/images.ts'
import { imageId } from './image-id.ts'
import { imageShape } from './image-shape.ts'

export const cmsReplaceImage = defineTool({
  name: 'cms_replaceImage',
  description:
    'Show another image wherever on the site this one is shown. ' +
    'Gives the ids of the sections that changed. For one section alone use cms_updateSectionImage.',
  category: 'action',
  topic: 'images',
  phrases: ['replace image everywhere', 'use another picture on all pages'],
  related: ['cms_searchImages', 'cms_deleteImage'],
  extraction: { path: 'image', type: 'image', nameField: 'filename' },
  inputSchema: z.object({
    image: imageId,
    by: imageId.describe('The id of the image to show from now on.'),
  }),
  outputSchema: z.object({ image: imageShape, sections: z.array(z.number()) }),
  execute: ({ image, by }, { services: { database } }: CmsContext) => {
    const sections = replaceImage(database, image, by)
    return { image: getImage(database, by), sections: [...sections] }
  },
})
