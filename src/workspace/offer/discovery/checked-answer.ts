import { z } from 'zod'
import type { SearchAnswer } from '../../../search/rank/search-answer.ts'

const answerShape = z.object({
  results: z.array(
    z.object({ name: z.string(), kind: z.enum(['tool', 'skill']), score: z.number() }),
  ),
  confidence: z.number().min(0).max(1),
  route: z.enum(['lexical', 'vectors', 'fused']),
  degraded: z.string().optional(),
})

/** What a host's own search gave, when it is an answer; throws, naming what is wrong, when not. */
export function checkedAnswer(given: SearchAnswer): SearchAnswer {
  const { error } = answerShape.safeParse(given)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return given
  throw new Error(`its answer is none: ${issue.path.join('.')} ${issue.message}`)
}
