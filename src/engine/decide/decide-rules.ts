import type { Command, Order } from '../model/command.ts'
import type { WorkspaceState } from '../model/state.ts'
import { accepted, type Decision } from './decision.ts'

/** Note that the model was told rules; those it has already come to nothing. */
export function decideRules(
  { rulesSent }: WorkspaceState,
  order: Order,
  { topics }: Extract<Command, { type: 'rules.send' }>,
): Decision {
  const known = new Map(rulesSent.map(({ topic, hash }) => [topic, hash]))
  const fresh = topics.filter(({ topic, hash }) => known.get(topic) !== hash)
  return fresh.length === 0
    ? { kind: 'accepted', drafts: [] }
    : accepted(order, { type: 'rules.sent', topics: fresh })
}
