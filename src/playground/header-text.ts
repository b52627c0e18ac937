import { formatCount } from '../render/ink/format-count.ts'

/** What the first line of the screen says. */
export interface HeaderFacts {
  readonly session: string
  readonly agent: string | null
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** The last entry of the session. */
  readonly last: number
  readonly live: boolean
  readonly tokens: number
  readonly tokenizer: string
}

/** Session, agent, moment and price, the most telling first. */
export function headerText(facts: HeaderFacts): string {
  const { session, agent, moment, last, live, tokens, tokenizer } = facts
  return [
    moment === null ? `now #${last}` : `MOMENT #${moment} of #${last}`,
    `${formatCount(tokens)} tokens (${tokenizer})`,
    ...(live ? [] : ['read-only']),
    agent === null ? 'no agent' : `agent ${agent}`,
    `session ${session}`,
  ].join(' | ')
}
