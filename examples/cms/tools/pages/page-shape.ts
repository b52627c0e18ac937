import { z } from 'zod'

/** A page in a result. */
export const pageShape = z.object({
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
})
