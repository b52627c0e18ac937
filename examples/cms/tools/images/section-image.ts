import { z } from 'zod'
import { sectionId } from '../sections/section-id.ts'
import { imageId } from './image-id.ts'

/** Which image goes where. */
export const sectionImage = z.object({
  section: sectionId,
  field: z.string().default('image').describe('An image field of the section.'),
  image: imageId,
})
