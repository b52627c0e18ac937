import { z } from 'zod'

/** Which kind of section a tool is about. */
export const templateKey = z.string().min(1).describe('The key of the template, such as "hero".')
