import { z } from 'zod'

/** A post in a result, its text apart. */
export const postShape = z.object({
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  status: z.enum(['draft', 'published', 'archived']),
  published: z.string().nullable(),
})
