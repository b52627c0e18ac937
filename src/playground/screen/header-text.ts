import { formatCount } from '../../render/ink/parts/format-count.ts'

/** What the first line of the screen says. */
export interface HeaderFacts {
  readonly session: string
  readonly agent: string | null
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** The last entry of the session. */
  readonly last: number
  /** Whether another process appended it. */
  readonly isForeign: boolean
  /** What stands for another process in the timeline; empty where a word does. */
  readonly sign: string
  readonly live: boolean
  /** Whether what other processes append is shown as it comes. */
  readonly followed: boolean
  readonly tokens: number
  readonly tokenizer: string
}

/** Session, agent, moment and price, the most telling first. */
export function headerText(facts: HeaderFacts): string {
  const { session, agent, moment, last, isForeign, sign } = facts
  const { live, followed, tokens, tokenizer } = facts
  const newest = [`#${last}`, ...(isForeign ? [sign, 'by another process'] : [])]
    .filter((one) => one !== '')
    .join(' ')
  return [
    moment === null ? `now ${newest}` : `MOMENT #${moment} of ${newest}`,
    `${formatCount(tokens)} tokens (${tokenizer})`,
    // One that is worked in shows by itself what comes.
    ...(live ? [] : [followed ? 'read-only, followed' : 'read-only']),
    agent === null ? 'no agent' : `agent ${agent}`,
    `session ${session}`,
  ].join(' | ')
}
