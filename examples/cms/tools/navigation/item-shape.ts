import { z } from 'zod'

/** An item of the menu in a result. */
export const itemShape = z.object({
  id: z.number(),
  label: z.string(),
  href: z.string(),
  visible: z.boolean(),
})
