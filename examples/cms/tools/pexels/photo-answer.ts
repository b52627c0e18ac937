import { z } from 'zod'

/** A photograph as Pexels tells of it, as far as it is needed. */
export const photoAnswer = z.object({
  id: z.number(),
  alt: z.string(),
  photographer: z.string(),
  src: z.object({ medium: z.string(), large: z.string() }),
})
