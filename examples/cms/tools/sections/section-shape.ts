import { z } from 'zod'

/** A section in a result. `images` are ids of images, by field. */
export const sectionShape = z.object({
  id: z.number(),
  name: z.string(),
  page: z.string(),
  template: z.string(),
  position: z.number(),
  content: z.record(z.string(), z.string()),
  images: z.record(z.string(), z.number()),
})
