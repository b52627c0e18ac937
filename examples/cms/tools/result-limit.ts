import { z } from 'zod'

/** How many results a search gives. */
export const resultLimit = z
  .number()
  .int()
  .min(1)
  .max(20)
  .default(5)
  .describe('How many results at most; 5 when left out.')
