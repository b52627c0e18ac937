import type { LanguageModel, ModelMessage } from 'ai'
import type { JSONObject } from '@ai-sdk/provider'
import type { ToolChangeMessage } from '../../../entries/adapter.ts'
import type { StepRequest, Tool } from '../../../entries/index.ts'
import { sentDefinition, type ToolRules } from './sdk-tool.ts'

/** The provider in whose form changes of tools are written; null for one that takes none. */
export type ToolChangeForm = 'anthropic' | 'openai' | null

/** The ways of changing tools that the SDK can carry to a model. */
interface ModelCarries extends Pick<StepRequest, 'carries' | 'model'> {
  readonly form: ToolChangeForm
  readonly rules: ToolRules
}

const NOTHING = { carries: [], form: null } as const

/** Returns what the SDK's own provider of a model can carry; nothing for providers that were not tried. */
export function modelCarries(model: LanguageModel): ModelCarries {
  const provider = typeof model === 'string' ? model : model.provider
  const isOpenAi = /^(?:openai|azure)\b/u.test(provider)
  const rules = isOpenAi ? 'openai' : provider.includes('anthropic') ? 'anthropic' : 'any'
  if (typeof model === 'string') return { ...NOTHING, rules }
  switch (provider) {
    case 'anthropic.messages':
      return {
        carries: ['deferred', 'additions', 'removals'],
        model: model.modelId,
        form: 'anthropic',
        rules,
      }
    case 'openai.responses':
      return { carries: ['additions'], model: model.modelId, form: 'openai', rules }
    default:
      return { ...NOTHING, model: model.modelId, rules }
  }
}

/** Writes a change of tools as a message of the system, in the form of a provider. */
export function writeToolChange(
  { additions, removals }: ToolChangeMessage,
  form: ToolChangeForm,
): ModelMessage {
  const changes: Record<string, JSONObject> =
    form === 'openai'
      ? { openai: { additionalTools: additions.map(({ tool }) => openaiTool(tool)) } }
      : {
          anthropic: {
            toolChanges: [
              ...removals.map((toolName) => ({ type: 'tool_removal', toolName })),
              ...additions.map(({ tool, known }) =>
                known
                  ? { type: 'tool_addition', toolName: tool.name }
                  : { type: 'tool_addition', tool: anthropicTool(tool) },
              ),
            ],
          },
        }
  return { role: 'system', content: '', providerOptions: changes }
}

function openaiTool(tool: Tool): JSONObject {
  const { description, inputSchema: parameters, strict = false } = sentDefinition(tool, 'openai')
  return { type: 'function', name: tool.name, description, parameters, strict } as JSONObject
}

function anthropicTool(tool: Tool): JSONObject {
  const { name, providerOptions } = tool
  const { inputExamples, strict, ...sent } = sentDefinition(tool, 'anthropic')
  const given = Object.entries({ inputExamples, strict, providerOptions })
  return {
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    type: 'function',
    name,
    ...sent,
  } as JSONObject
}
