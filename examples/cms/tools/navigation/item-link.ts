import { z } from 'zod'

/** What an item of the menu says, and where it leads: into the site, or to a page of another. */
export const itemLink = z.object({
  label: z.string().min(1).max(60).describe('What the item says.'),
  href: z
    .string()
    .regex(/^(?:\/(?!\/)|https?:\/\/)/u, 'must begin with "/", or with "https://"')
    .describe('A path of the site, such as "/about", or a whole address.'),
})
