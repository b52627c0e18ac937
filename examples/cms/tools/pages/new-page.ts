import { z } from 'zod'

/** What a page is made of, sections apart. */
export const newPage = z.object({
  title: z
    .string()
    .min(1)
    .max(120)
    .describe('What the page is called, in menus and search engines.'),
  slug: z
    .string()
    .regex(/^[\p{L}\p{N}-]+$/u, 'must be of letters, digits and hyphens')
    .max(120)
    .optional()
    .describe('Made of the title when left out.'),
  description: z.string().max(300).optional().describe('For search engines, in a sentence.'),
})
