import { z } from 'zod'

/** A thing of the site in a result, whatever it is. */
export const resourceShape = z.object({
  type: z.enum(['page', 'section', 'image', 'post', 'entry']),
  id: z.string(),
  name: z.string(),
})
