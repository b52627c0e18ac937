import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { askService } from '../../remote/ask-service.ts'
import { resultLimit } from '../result-limit.ts'
import { photoAnswer } from './photo-answer.ts'

export const pexelsSearchPhotos = defineTool({
  name: 'pexels_searchPhotos',
  description:
    'Search Pexels for free stock photos. Gives previews; nothing is stored. ' +
    'Gives ids, which pexels_downloadPhoto takes.',
  category: 'retrieval',
  topic: 'pexels',
  timeoutMs: 15_000,
  phrases: ['stock photos', 'search pexels', 'find a free picture on the web'],
  related: ['pexels_downloadPhoto', 'cms_searchImages'],
  guidance: { before: 'Search the images of the site first: cms_searchImages.' },
  extraction: { path: 'photos', isArray: true, type: 'photo', nameField: 'alt' },
  inputSchema: z.object({
    query: z.string().min(1).max(200).describe('What the photos show, in English.'),
    limit: resultLimit,
  }),
  outputSchema: z.object({
    photos: z.array(
      z.object({
        id: z.number(),
        alt: z.string(),
        photographer: z.string(),
        preview: z.string(),
      }),
    ),
  }),
  execute: async ({ query, limit }, { services: { pexels }, signal }: CmsContext) => {
    const { photos } = await askService('Pexels', pexels, {
      path: '/v1/search',
      query: { query, per_page: limit },
      answer: z.object({ photos: z.array(photoAnswer) }),
      signal,
    })
    const previews = photos.map(({ id, alt, photographer, src }) => {
      // Many photographs have no text; what is remembered needs a name.
      return { id, alt: alt || `Photo ${id}`, photographer, preview: src.medium }
    })
    return { photos: previews }
  },
})
