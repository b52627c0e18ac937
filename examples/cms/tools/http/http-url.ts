import { z } from 'zod'

/** What to request; whether it may be is judged at the call. */
export const httpUrl = z.string().max(2_000).describe('The whole address, with https://.')
