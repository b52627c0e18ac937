import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages/messages'
import type { VirtualWorkspace, WorkspaceStep } from 'loadout'
import { forAnthropic } from 'loadout/anthropic'
import { anthropicForm, piecesOf } from '../../../src/adapters/anthropic/anthropic-form.ts'
import { groupHistory } from '../../../src/workspace/group-history.ts'
import type { ConverseOptions, WireConversation, WireDriver } from './wire-driver.ts'

const FORM = anthropicForm((sent) => sent)

/** Notes for each step how many blocks of the request each message of its conversation becomes. */
function noteSizes(
  workspace: VirtualWorkspace,
  history: () => readonly BetaMessageParam[],
  sizes: (readonly number[])[],
): void {
  const beginStep = workspace.beginStep.bind(workspace)
  workspace.beginStep = async (request): Promise<WorkspaceStep> => {
    const { groups } = groupHistory(history().flatMap(piecesOf), FORM)
    const step = await beginStep(request)
    sizes.push(
      step.messages.map((message) => {
        if (message.kind === 'text') return 1
        if (message.kind === 'tools') return message.additions.length + message.removals.length
        return (groups[message.index]?.items ?? []).reduce(
          (sum, { content = '' }) => sum + (typeof content === 'string' ? 1 : content.length),
          0,
        )
      }),
    )
    return step
  }
}

type Run = (
  workspace: VirtualWorkspace,
  options: ConverseOptions,
) => (client: Anthropic, messages: BetaMessageParam[], signal: AbortSignal) => Promise<unknown>

function driver(name: string, wire: WireDriver['wire'], connect: Run): WireDriver {
  return {
    name,
    wire,
    options: { provider: 'anthropic' },
    converse(url, options) {
      const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0 })
      const runs = new WeakMap<VirtualWorkspace, ReturnType<Run>>()
      const sizes: (readonly number[])[] = []
      const conversation: WireConversation = {
        messages: [],
        sizes,
        async turn(workspace, text, signal) {
          const history = () => conversation.messages as BetaMessageParam[]
          if (!runs.has(workspace)) noteSizes(workspace, history, sizes)
          const run = runs.get(workspace) ?? connect(workspace, options)
          runs.set(workspace, run)
          if (text !== null) conversation.messages.push({ role: 'user', content: text })
          await run(client, history(), signal)
        },
      }
      return conversation
    },
  }
}

const LIMITS = { max_tokens: 4096, maxSteps: 30 }

/** A model that takes tools in the conversation, and one that does not. */
const BETA_DRIVERS = ['claude-opus-4-8', 'claude-sonnet-5'].map((model) =>
  driver(`Anthropic beta, ${model}`, 'anthropic-beta', (workspace, options) => {
    const conversation = forAnthropic(workspace, { model, ...options })
    return (client, messages, signal) => conversation.run(client, { messages, signal, ...LIMITS })
  }),
)

const STABLE_DRIVER = driver('Anthropic stable', 'anthropic', (workspace, options) => {
  const model = 'claude-opus-4-8'
  const conversation = forAnthropic(workspace, { api: 'stable', model, ...options })
  return (client, messages, signal) =>
    conversation.run(client, { messages: messages as MessageParam[], signal, ...LIMITS })
})

export const ANTHROPIC_DRIVERS: readonly WireDriver[] = [...BETA_DRIVERS, STABLE_DRIVER]
