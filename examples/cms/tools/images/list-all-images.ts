import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listImages } from '../../database/images.ts'
import { imageShape } from './image-shape.ts'

export const cmsListAllImages = defineTool({
  name: 'cms_listAllImages',
  description:
    'List every image of the site. Long on a large site: to find one, use cms_searchImages.',
  category: 'retrieval',
  topic: 'images',
  phrases: ['list images', 'picture gallery', 'media library'],
  related: ['cms_searchImages', 'cms_deleteImage'],
  extraction: { path: 'images', isArray: true, type: 'image', nameField: 'filename' },
  outputSchema: z.object({ images: z.array(imageShape) }),
  execute: (_, { services: { database } }: CmsContext) => ({ images: [...listImages(database)] }),
})
