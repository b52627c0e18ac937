import type { ConversationChange, ConversationState } from '../model/conversation-state.ts'
import type { ReportedState } from '../model/provider-report.ts'
import { requestTokens } from '../model/step-cost.ts'
import type { Entry, EventOf } from '../model/workspace-event.ts'

type Reported = ReportedState['reported']

/** Applies a request, or the report of its provider, to the reports of a session. */
export function evolveReported(
  reported: Reported,
  { at, event }: Pick<Entry, 'at'> & { readonly event: EventOf<'step.begun' | 'step.reported'> },
): Reported {
  if (event.type === 'step.begun') {
    const { step, cost = null } = event
    return { ...reported, begun: { step, at, cost } }
  }
  const { type: _, step, ...report } = event
  const { begun, last, steps, total, predicted } = reported
  const { input, cached = 0, written = 0, output, reasoning = 0 } = report.usage
  const isOfLast = begun?.step === step
  const cost = isOfLast ? begun.cost : null
  return {
    begun,
    last: { step, at: isOfLast ? begun.at : at, cost, report },
    before: last,
    steps: steps + 1,
    total: {
      input: total.input + input,
      cached: total.cached + cached,
      written: total.written + written,
      output: total.output + output,
      reasoning: total.reasoning + reasoning,
    },
    predicted: {
      input: predicted.input + (cost ? requestTokens(cost) : 0),
      cached: predicted.cached + (cost?.kept ?? 0),
    },
  }
}

/** Applies the conversation of one request; undefined for a host that does not show its history. */
export function evolveConversation(
  { sent, ours, withdrawn: earlier = [] }: ConversationState,
  change: ConversationChange | undefined,
): ConversationState {
  const { kept = 0, lost = [], added = [], history = null, withdrawn = earlier } = change ?? {}
  const results = withdrawn.length === 0 ? {} : { withdrawn }
  if (change === undefined) return { sent: null, ours, history, ...results }
  const remaining = lost.length === 0 ? ours : ours.filter((_, index) => !lost.includes(index))
  return {
    sent: [...(sent ?? []).slice(0, kept), ...change.sent],
    ours: added.length === 0 ? remaining : [...remaining, ...added],
    history,
    ...results,
  }
}
