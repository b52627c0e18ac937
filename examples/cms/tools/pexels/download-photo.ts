import { defineTool, ToolError } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { addImage } from '../../database/images.ts'
import { allowedUrl } from '../../remote/allowed-url.ts'
import { askService } from '../../remote/ask-service.ts'
import { request } from '../../remote/request.ts'
import { imageShape } from '../images/image-shape.ts'
import { photoAnswer } from './photo-answer.ts'

const MOST_BYTES = 20 * 1024 * 1024

export const pexelsDownloadPhoto = defineTool({
  name: 'pexels_downloadPhoto',
  description:
    'Store a photo of Pexels among the images of the site, with its credit. ' +
    'Gives the image with the id that it has on the site. One that is there already is not stored twice.',
  category: 'action',
  topic: 'pexels',
  timeoutMs: 60_000,
  phrases: ['download photo', 'use a stock photo', 'save picture from pexels'],
  related: ['pexels_searchPhotos', 'cms_addImageToSection'],
  extraction: { path: 'image', type: 'image', nameField: 'filename' },
  inputSchema: z.object({ photo: z.number().int().min(1).describe('Its id at Pexels.') }),
  outputSchema: z.object({ image: imageShape }),
  execute: async ({ photo }, { services: { database, pexels }, signal }: CmsContext) => {
    const { alt, photographer, src } = await askService('Pexels', pexels, {
      path: `/v1/photos/${photo}`,
      answer: photoAnswer,
      signal,
    })
    // The address comes from the network: it may lead to no other place than photos come from.
    const url = allowedUrl(src.large, pexels?.photos ?? [])
    const { status, contentType, bytes } = await request(url, { signal, maxBytes: MOST_BYTES })
    if (status !== 200 || contentType !== 'image/jpeg') {
      const details = { status, contentType }
      throw new ToolError('PERMANENT', 'Pexels gave no JPEG for this photo.', { details })
    }
    const credit = `${photographer} on Pexels`
    return { image: addImage(database, { filename: `pexels-${photo}.jpg`, alt, credit, bytes }) }
  },
})
