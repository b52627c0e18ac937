import { z } from 'zod'

/** Which image a tool is about. */
export const imageId = z.number().int().min(1).describe('The id of the image.')
