import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ExposureName, ProviderName } from 'loadout'
import { cmsCatalog } from '../cms-catalog.ts'
import type { CmsServices } from '../cms-services.ts'
import type { Conversation } from '../conversations/conversation.ts'
import { CONVERSATIONS } from '../conversations/conversations.ts'
import { runConversation, type ConversationReport } from './run-conversation.ts'
import { priceOfAll, savingOf, type Saving } from './savings.ts'

/** Everything the example has to show. */
export interface CmsReport {
  readonly model: string
  readonly provider: ProviderName
  readonly conversations: readonly ConversationReport[]
  readonly savings: readonly (Saving & { readonly strategy: ExposureName })[]
}

export interface RunOptions {
  readonly strategies: readonly ExposureName[]
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

/** Run every conversation under every strategy, one after the other. */
export async function runAll(options: RunOptions): Promise<CmsReport> {
  const { strategies, provider, name } = options
  const catalog = await cmsCatalog()
  const conversations: ConversationReport[] = []
  for (const strategy of strategies) {
    for (const conversation of CONVERSATIONS) {
      const [services, model] = [options.services(), options.model(conversation)]
      const run = { conversation, catalog, services, model, strategy, provider }
      conversations.push(await runConversation(run))
      services.database.close()
    }
  }
  const all = await priceOfAll(catalog)
  const savings = conversations.flatMap((report) => {
    const { strategy } = report
    return SAVINGS.filter(([of]) => of === report.conversation).map(([, what]) => {
      return { strategy, ...savingOf(what, all, report) }
    })
  })
  return { model: name, provider, conversations, savings }
}
