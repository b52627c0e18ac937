import { z } from 'zod'

/** Which section a tool is about. */
export const sectionId = z.number().int().min(1).describe('The id of the section.')
