import { z } from 'zod'

/** Which item of the menu a tool is about. */
export const itemId = z.number().int().min(1).describe('The id of the navigation item.')
