import { formatCount } from '../../render/ink/format-count.ts'

/** What the first line of the screen says. */
export interface HeaderFacts {
  readonly session: string
  readonly agent: string | null
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** The last entry of the session. */
  readonly last: number
  readonly live: boolean
  /** Whether what other processes append is shown as it comes. */
  readonly followed: boolean
  readonly tokens: number
  readonly tokenizer: string
}

/** Session, agent, moment and price, the most telling first. */
export function headerText(facts: HeaderFacts): string {
  const { session, agent, moment, last, live, followed, tokens, tokenizer } = facts
  return [
    moment === null ? `now #${last}` : `MOMENT #${moment} of #${last}`,
    `${formatCount(tokens)} tokens (${tokenizer})`,
    // One that is worked in shows by itself what comes.
    ...(live ? [] : [followed ? 'read-only, followed' : 'read-only']),
    agent === null ? 'no agent' : `agent ${agent}`,
    `session ${session}`,
  ].join(' | ')
}
