import { generateText, type LanguageModel, type ModelMessage } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import type { AiSdkOptions } from 'loadout/ai-sdk'

/** Returns a `prepareStep` that replaces all turns before the current one with a summary, in `chat` too. */
export function summariseHistory(
  workspace: VirtualWorkspace,
  model: LanguageModel,
  chat: { messages: readonly ModelMessage[] },
  most = 40,
): NonNullable<AiSdkOptions['prepareStep']> {
  return async ({ stepNumber, messages }) => {
    if (stepNumber > 0 || messages.length <= most) return undefined
    const question = messages.findLastIndex(({ role }) => role === 'user')
    const prompt = `Summarise this conversation:\n${JSON.stringify(messages.slice(0, question))}`
    const { text: summary } = await generateText({ model, prompt })
    const { text } = await workspace.compact()
    const start: ModelMessage = { role: 'user', content: `${text}\nSo far: ${summary}` }
    chat.messages = [start, ...messages.slice(question)]
    return { messages: [...chat.messages] }
  }
}
