import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listImages } from '../../database/images.ts'
import { nearest } from '../../database/nearest.ts'
import { resultLimit } from '../result-limit.ts'
import { imageShape } from './image-shape.ts'
import { imageText } from './image-text.ts'

export const cmsSearchImages = defineTool({
  name: 'cms_searchImages',
  description:
    'Search the images of the site by what they show, best first. ' +
    'Each has a score: the nearer to 0, the better. Gives nothing when none is near.',
  category: 'retrieval',
  topic: 'images',
  phrases: ['search images', 'look for pictures', 'images of mountains'],
  related: ['cms_addImageToSection', 'pexels_searchPhotos'],
  extraction: { path: 'images', isArray: true, type: 'image', nameField: 'filename' },
  inputSchema: z.object({
    query: z.string().min(1).describe('What the images show, in a few words.'),
    limit: resultLimit,
  }),
  outputSchema: z.object({ images: z.array(imageShape.extend({ score: z.number() })) }),
  execute: ({ query, limit }, { services: { database } }: CmsContext) => ({
    images: [...nearest(query, listImages(database), imageText, limit)],
  }),
})
