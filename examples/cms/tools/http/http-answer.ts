import { z } from 'zod'
import type { Answer } from '../../remote/request.ts'

/** Characters of an answer that a model gets to read. */
const MOST_CHARACTERS = 20_000

/** The answer of a server in a result. An error status is an answer, too. */
export const httpAnswer = z.object({
  status: z.number(),
  contentType: z.string(),
  body: z.string(),
  cut: z.boolean(),
})

export function toHttpAnswer({ status, contentType, bytes }: Answer): z.output<typeof httpAnswer> {
  const text = new TextDecoder().decode(bytes)
  const body = text.slice(0, MOST_CHARACTERS).toWellFormed()
  return { status, contentType, body, cut: text.length > MOST_CHARACTERS }
}
