import { z } from 'zod'

/** The texts of a section, by field. */
export const sectionContent = z
  .record(z.string(), z.string().max(5_000))
  .describe('Texts by field, such as { "heading": "Welcome" }.')
