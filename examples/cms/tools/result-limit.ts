import { z } from 'zod'

/** How many results a search gives. */
export const resultLimit = z.number().int().min(1).max(20).default(5)
