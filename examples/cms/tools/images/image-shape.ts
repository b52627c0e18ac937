import { z } from 'zod'

/** An image in a result. */
export const imageShape = z.object({
  id: z.number(),
  filename: z.string(),
  path: z.string(),
  alt: z.string(),
  credit: z.string().nullable(),
})
