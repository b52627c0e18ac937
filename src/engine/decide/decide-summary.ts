import type { Command, Order } from '../model/command.ts'
import type { WorkspaceState } from '../model/state.ts'
import { accepted, refused, type Decision } from './decision.ts'

/** Characters of a summary: it goes into the prompt whenever it changes. */
const LONGEST_SUMMARY = 8_000

/** Take, or take away, the host's summary of what happened so far. */
export function decideSummary(
  { memory }: WorkspaceState,
  order: Order,
  command: Extract<Command, { type: 'memory.summarise' }>,
): Decision {
  const text = command.summary?.toWellFormed() ?? ''
  const summary = text.trim() === '' ? null : text
  if (summary === memory.summary) return { kind: 'accepted', drafts: [] }
  if (text.length > LONGEST_SUMMARY) {
    return refused(order, 'summary', {
      code: 'summary-too-long',
      message: `A summary of ${text.length} characters is over the ${LONGEST_SUMMARY} that working memory takes.`,
      hint: 'Shorten it: the model reads it whole.',
      facts: { length: text.length, limit: LONGEST_SUMMARY },
    })
  }
  return accepted(order, { type: 'memory.summarised', summary })
}
