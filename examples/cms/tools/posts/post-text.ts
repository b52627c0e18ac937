import { z } from 'zod'

/** What a post is made of. */
export const postText = z.object({
  title: z.string().min(1).max(120).describe('The headline.'),
  body: z.string().min(1).max(50_000).describe('The whole text, in Markdown.'),
})
