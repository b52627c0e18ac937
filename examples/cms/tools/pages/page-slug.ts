import { z } from 'zod'

/** Which page a tool is about. */
export const pageSlug = z.string().min(1).describe('The slug of the page, such as "about".')
