import { z } from 'zod'

/** Which post a tool is about. */
export const postSlug = z.string().min(1).describe('The slug of the post, such as "first-snow".')
