import type { LanguageModelV4 } from '@ai-sdk/provider'
import { ToolLoopAgent, type ModelMessage } from 'ai'
import { PROVIDER_FACTS } from 'loadout/adapter'
import type { Catalog, ProviderName, VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import type { CmsServices } from '../cms-services.ts'
import type { Conversation } from '../conversations/conversation.ts'
import { agreeTo } from './agree-to.ts'
import { recordRequests } from './record-requests.ts'
import { rememberedBy, type Remembered } from './remembered.ts'
import { openCms, promptOf, type Setup } from './setup.ts'
import { stepReports, type StepReport } from './step-report.ts'

/** What to run, and how. */
export interface ConversationRun {
  readonly conversation: Conversation
  readonly catalog: Catalog
  readonly services: CmsServices
  readonly model: LanguageModelV4
  readonly setup: Setup
  /** In whose order requests are compared. */
  readonly provider: ProviderName
}

/** How a conversation went. */
export interface ConversationReport {
  readonly conversation: string
  readonly title: string
  readonly setup: Setup
  readonly turns: readonly {
    readonly user: string
    readonly steps: readonly StepReport[]
    /** Calls that a person was asked about after a step of this number, and agreed to. */
    readonly agreed: readonly { readonly after: number; readonly call: string }[]
  }[]
  /** Calls and commands that the workspace refused, with their codes. */
  readonly refused: readonly string[]
  readonly remembered: Remembered
}

/**
 * One conversation, from its first message to what is remembered at its end: a workspace and an
 * agent for all of its turns. Whatever the model asks a person about is agreed to.
 */
export async function runConversation({
  conversation,
  catalog,
  services,
  model,
  setup,
  provider,
}: ConversationRun): Promise<ConversationReport> {
  const workspace = await openCms(catalog, setup, { services, provider })
  const record = recordRequests(model)
  const agent = new ToolLoopAgent({
    model: record.model,
    ...forAiSdk(workspace, { prompt: promptOf(setup) }),
  })
  const messages: ModelMessage[] = []
  const turns = []
  for (const { user } of conversation.turns) {
    const begun = record.recorded.length
    const agreed: { after: number; call: string }[] = []
    messages.push({ role: 'user', content: user })
    for (;;) {
      const { content, responseMessages } = await agent.generate({ messages })
      messages.push(...responseMessages)
      const answers = agreeTo(content)
      if (answers === null) break
      const after = record.recorded.length - begun
      agreed.push(...answers.calls.map((call) => ({ after, call })))
      messages.push(answers.message)
    }
    turns.push({ user, begun, end: record.recorded.length, agreed })
  }
  const steps = stepReports(record.recorded, PROVIDER_FACTS[provider])
  const report: ConversationReport = {
    conversation: conversation.name,
    title: conversation.title,
    setup,
    turns: turns.map(({ user, begun, end, agreed }) => {
      return { user, steps: steps.slice(begun, end), agreed }
    }),
    refused: await refusedIn(workspace),
    remembered: rememberedBy(workspace),
  }
  await workspace.close()
  return report
}

async function refusedIn(workspace: VirtualWorkspace): Promise<readonly string[]> {
  const entries = await workspace.entries()
  return entries.flatMap(({ event }) => {
    return event.type === 'command.refused' ? [`${event.subject} ${event.code}`] : []
  })
}
