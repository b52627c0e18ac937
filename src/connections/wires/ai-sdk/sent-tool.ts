import type { LanguageModel, ModelMessage } from 'ai'
import type { StepMessage } from '../../../entries/adapter.ts'
import type { Tool, WorkspaceStep } from '../../../entries/index.ts'
import { renamedTool } from '../../../engine/standing/tool-table.ts'
import { callName } from '../../../schema/provider-forms/provider-name.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'

/**
 * The names of tools on both sides. The SDK has those that the provider accepts, and calls come back by them. Without a
 * named provider, the rules of OpenAI hold.
 */
export type ToolNames = Pick<ModelConversation, 'sentName' | 'ownName'>

/** Returns a tool under the name to send. */
export function sentTool(tool: Tool, names: ToolNames): Tool {
  return renamedTool(tool, names.sentName(tool.name))
}

/** Returns the content of a request with the names to send. */
export function sentStep(step: WorkspaceStep, names: ToolNames): WorkspaceStep {
  return {
    ...step,
    tools: step.tools.map((tool) => sentTool(tool, names)),
    deferred: new Set([...step.deferred].map((name) => names.sentName(name))),
    messages: step.messages.map((message) => sentMessage(message, names)),
  }
}

function sentMessage(message: StepMessage, names: ToolNames): StepMessage {
  if (message.kind !== 'tools') return message
  return {
    ...message,
    additions: message.additions.map((one) => ({ ...one, tool: sentTool(one.tool, names) })),
    removals: message.removals.map((name) => names.sentName(name)),
  }
}

/** Returns a message of the history with the names of its calls as the provider of the model takes them. */
export function withCallNames(message: ModelMessage, model: LanguageModel): ModelMessage {
  const { role, content } = message
  if (role === 'user' || role === 'system' || typeof content === 'string') return message
  const provider = typeof model === 'string' ? model : model.provider
  const rules = provider.startsWith('google') ? 'gemini' : 'openai'
  const isRefused = (part: object): part is { readonly toolName: string } =>
    'toolName' in part && part.toolName !== callName(String(part.toolName), rules)
  if (!content.some(isRefused)) return message
  const named = content.map((part: object) =>
    isRefused(part) ? { ...part, toolName: callName(part.toolName, rules) } : part,
  )
  return { ...message, content: named } as ModelMessage
}
