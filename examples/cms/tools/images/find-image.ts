import { defineTool, ToolError } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { listImages } from '../../database/images.ts'
import { nearest } from '../../database/nearest.ts'
import { imageShape } from './image-shape.ts'
import { imageText } from './image-text.ts'

export const cmsFindImage = defineTool({
  name: 'cms_findImage',
  description:
    'Find the one image of the site that fits a description best. ' +
    'Use it when one is meant; to choose among several, use cms_searchImages. Fails when none is near.',
  category: 'retrieval',
  topic: 'images',
  phrases: ['find image', 'find the hero image', 'which picture shows', 'get a photo by name'],
  related: ['cms_searchImages', 'cms_updateSectionImage'],
  extraction: { path: 'image', type: 'image', nameField: 'filename' },
  inputSchema: z.object({ description: z.string().min(1).describe('What the image shows.') }),
  outputSchema: z.object({ image: imageShape, score: z.number() }),
  execute: ({ description }, { services: { database } }: CmsContext) => {
    const [best] = nearest(description, listImages(database), imageText, 1)
    if (best === undefined) {
      throw new ToolError('NOT_FOUND', 'No image of the site is like that. Pexels may have one.')
    }
    const { score, ...image } = best
    return { image, score }
  },
})
