import { MockLanguageModelV4 } from 'ai/test'
import type { ModelMessage } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { forAnthropic } from 'loadout/anthropic'
import { forChatCompletions, forOpenAI } from 'loadout/openai'
import type { HistoryMessage } from '../../../src/workspace/offer/conversation/history-message.ts'
import { expect, test } from 'vitest'
import { aWorkspace } from '../../workspace/a-workspace.ts'

/** Counts how often a text of a message is read. */
class Reads {
  count = 0

  /** Returns a message of which each reading of its text counts. */
  message<T extends object>(message: T, member: string): T {
    const part = this.#partOf(message, member)
    const text = part[member]
    const get = () => {
      this.count += 1
      return text
    }
    Object.defineProperty(part, member, { get, enumerable: true })
    return message
  }

  #partOf(message: object, member: string): Record<string, unknown> {
    const own = message as Record<string, unknown>
    if (member in own) return own
    const [part] = own['content'] as readonly Record<string, unknown>[]
    return part as Record<string, unknown>
  }
}

/** Makes the next step with this history. */
type Step = (history: object[]) => Promise<unknown>

interface Way {
  readonly name: string
  open(workspace: VirtualWorkspace): Step
  message(role: 'user' | 'assistant', text: string): object
  readonly member: string
}

const blocks = (type: string) => (role: string, text: string) => ({
  role,
  content: [{ type, text }],
})

const WAYS: readonly Way[] = [
  {
    name: 'the workspace itself',
    open: (workspace) => (history) =>
      workspace.beginStep({ history: history as readonly HistoryMessage[] }),
    message: (role, content) => ({ role, content }),
    member: 'content',
  },
  {
    name: 'the AI SDK',
    open: (workspace) => {
      const { prepareStep } = forAiSdk(workspace)
      const model = new MockLanguageModelV4()
      return async (messages) =>
        prepareStep({
          stepNumber: 0,
          model,
          messages: messages as ModelMessage[],
          initialInstructions: undefined,
        } as unknown as Parameters<typeof prepareStep>[0])
    },
    message: blocks('text'),
    member: 'text',
  },
  {
    name: 'OpenAI Responses',
    open: (workspace) => {
      const openai = forOpenAI(workspace)
      return (input) => openai.next(input as never)
    },
    message: (role, text) => blocks(role === 'user' ? 'input_text' : 'output_text')(role, text),
    member: 'text',
  },
  {
    name: 'Chat Completions',
    open: (workspace) => {
      const chat = forChatCompletions(workspace)
      return (messages) => chat.next(messages as never)
    },
    message: blocks('text'),
    member: 'text',
  },
  {
    name: 'Anthropic',
    open: (workspace) => {
      const anthropic = forAnthropic(workspace, { model: 'claude-opus-4-8' })
      return (messages) => anthropic.next(messages as never)
    },
    message: blocks('text'),
    member: 'text',
  },
]

test.each(WAYS)(
  'a step of $name reads the messages that are new, and in turn 150 no others',
  async ({ open, message, member }) => {
    const step = open(await aWorkspace({}))
    const reads = new Reads()
    const history: object[] = []
    const counts: number[] = []
    for (let turn = 0; turn < 150; turn += 1) {
      history.push(reads.message(message('user', `Question ${turn}`), member))
      reads.count = 0
      await step([...history])
      counts.push(reads.count)
      history.push(reads.message(message('assistant', `Answer ${turn}`), member))
    }
    expect(counts[149]).toBeGreaterThan(0)
    expect(counts[149]).toBe(counts[1])
  },
)
