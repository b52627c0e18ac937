import { defineTool } from 'loadout'
import { z } from 'zod'
import type { CmsContext } from '../../cms-services.ts'
import { removeImage } from '../../database/images.ts'
import { imageId } from './image-id.ts'

export const cmsDeleteImage = defineTool({
  name: 'cms_deleteImage',
  description:
    'Delete an image that is shown nowhere. This cannot be undone. ' +
    'Fails with the list of sections while it is shown somewhere.',
  category: 'action',
  risk: 'destructive',
  requiresConfirmation: true,
  topic: 'images',
  phrases: ['delete image', 'remove picture', 'clean up photos'],
  related: ['cms_replaceImage', 'cms_listAllImages'],
  guidance: { before: 'Replace it where it is shown: cms_replaceImage.' },
  inputSchema: z.object({ image: imageId }),
  outputSchema: z.object({ deleted: z.string() }),
  execute: ({ image }, { services: { database } }: CmsContext) => ({
    deleted: removeImage(database, image).filename,
  }),
})
