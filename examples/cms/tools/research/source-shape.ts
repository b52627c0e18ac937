import { z } from 'zod'

/** A page of the web in a result. */
export const sourceShape = z.object({ url: z.string(), title: z.string() })
