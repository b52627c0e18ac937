import { VirtualWorkspace, type Catalog } from 'loadout'
import { counter } from './count-tokens.ts'
import type { ConversationReport } from './run-conversation.ts'
import { allRules } from './with-everything.ts'

/** What a request carries for its tools, beside what it would carry of all of them. */
export interface Saving {
  readonly what: string
  /** All definitions, rules and guidance, as every request would have them without search. */
  readonly all: number
  /** Definitions of the request that was looked at. */
  readonly definitions: number
  /** The answers of searches in it, rules included. */
  readonly page: number
  /** What of those answers are rules. */
  readonly rules: number
  /** From 0 to 1. */
  readonly saved: number
  /** The same when the rules it was told are left out of what the request carries, not of all. */
  readonly savedRulesApart: number
}

/** What the definitions of all tools, their guidance, and the rules of all topics come to. */
export async function priceOfAll(catalog: Catalog): Promise<number> {
  const workspace = await VirtualWorkspace.open({ catalog, exposure: 'active', metaTools: [] })
  const { tools } = await workspace.beginStep()
  await workspace.close()
  const definitions = tools.map(({ name, description, inputSchema }) => {
    return JSON.stringify({ name, description, inputSchema })
  })
  return [...definitions, ...allRules(catalog)].reduce((sum, text) => sum + counter.count(text), 0)
}

/** The saving of the request in a conversation that carries the most pages of searches. */
export function savingOf(what: string, all: number, { turns }: ConversationReport): Saving {
  const steps = turns.flatMap((turn) => turn.steps)
  const { definitions, page, rules } = steps
    .map(({ tokens }) => tokens)
    .reduce((most, one) => (one.page > most.page ? one : most))
  const saved = 1 - (definitions + page) / all
  const savedRulesApart = 1 - (definitions + page - rules) / all
  return { what, all, definitions, page, rules, saved, savedRulesApart }
}
