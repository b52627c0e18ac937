import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ProviderName } from 'loadout'
import { cmsCatalog } from '../cms-catalog.ts'
import type { CmsServices } from '../cms-services.ts'
import type { Conversation } from '../conversations/conversation.ts'
import { CONVERSATIONS } from '../conversations/conversations.ts'
import { runConversation, type ConversationReport } from './run-conversation.ts'
import { priceOfAll, savingOf, type Saving } from './savings.ts'
import type { Setup } from './setup.ts'
import { totalsOf, type Totals } from './totals.ts'

/** Everything the example has to show. */
export interface CmsReport {
  readonly model: string
  readonly provider: ProviderName
  readonly conversations: readonly (ConversationReport & { readonly totals: Totals })[]
  readonly savings: readonly (Saving & { readonly setup: Setup })[]
}

export interface RunOptions {
  readonly setups: readonly Setup[]
  readonly provider: ProviderName
  /** What the model is called in the report. */
  readonly name: string
  /** A site of its own for each conversation. */
  services(): CmsServices
  model(conversation: Conversation): LanguageModelV4
}

/** What the requests of these conversations are, in words. */
const SAVINGS: readonly (readonly [conversation: string, what: string])[] = [
  ['A', 'no tool needed'],
  ['B', 'one search and the call'],
  ['C', 'three searches'],
]

/** Run every conversation under every setup, one after the other. */
export async function runAll(options: RunOptions): Promise<CmsReport> {
  const { setups, provider, name } = options
  const catalog = await cmsCatalog()
  const conversations: CmsReport['conversations'][number][] = []
  for (const setup of setups) {
    for (const conversation of CONVERSATIONS) {
      const [services, model] = [options.services(), options.model(conversation)]
      const run = { conversation, catalog, services, model, setup, provider }
      const report = await runConversation(run)
      conversations.push({ ...report, totals: totalsOf(report) })
      services.database.close()
    }
  }
  const all = await priceOfAll(catalog)
  const savings = conversations.flatMap((report) => {
    const { setup } = report
    return SAVINGS.filter(([of]) => of === report.conversation && setup !== 'everything').map(
      ([, what]) => ({ setup, ...savingOf(what, all, report) }),
    )
  })
  return { model: name, provider, conversations, savings }
}
