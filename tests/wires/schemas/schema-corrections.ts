import { isObject, type JsonObject, type Wire } from '../wire.ts'

/** A place where the types of an SDK are not the form on the wire. */
interface SchemaCorrection {
  readonly wires: readonly Wire[]
  /** The type, as the generated schemas name it. */
  readonly type: string
  /** The type of the body in which it is corrected; in all of them when absent. */
  readonly inside?: string
  /** A member that never travels. */
  readonly absent?: string
  /** A member that may be left out, although the types require it. */
  readonly optional?: string
  /** A member of servers with the same protocol, which the types do not have. */
  readonly more?: string
  /** The place from which this is known. */
  readonly source: string
}

const ITEM_IDS =
  'With `store: false`, requests without ids were tried with the provider (openclaw/openclaw#84904), and Azure refuses ' +
  'ids of reasoning there (vercel/ai#12687). @ai-sdk/openai 4.0.118 leaves ids out that it does not have'

const SCHEMA_CORRECTIONS: readonly SchemaCorrection[] = [
  {
    wires: ['openai-responses'],
    type: 'Response',
    absent: 'output_text',
    source: 'openai 7.57.0, lib/ResponsesParser: `addOutputText` adds it in the client',
  },
  {
    wires: ['openai-responses'],
    type: 'FunctionTool',
    optional: 'strict',
    source:
      'developers.openai.com/api/docs/guides/function-calling, "Strict mode": Responses requests are strict by ' +
      'default, so it may be left out; @ai-sdk/openai 4.0.118 leaves it out',
  },
  {
    wires: ['openai-responses'],
    type: 'ResponseReasoningItem',
    inside: 'ResponseCreateParamsBase',
    optional: 'id',
    source: ITEM_IDS,
  },
  {
    wires: ['openai-responses'],
    type: 'ResponseOutputMessage',
    inside: 'ResponseCreateParamsBase',
    optional: 'id',
    source: ITEM_IDS,
  },
  {
    wires: ['openai-chat'],
    type: 'ChatCompletionAssistantMessageParam',
    more: 'reasoning_content',
    source:
      'Kimi answers 400 "thinking is enabled but reasoning_content is missing in assistant tool call message" ' +
      '(vercel/ai#12049), DeepSeek 400 "The `reasoning_content` in the thinking mode must be passed back to the API."',
  },
  {
    wires: ['openai-chat'],
    type: 'ChatCompletionMessageFunctionToolCall',
    more: 'extra_content',
    source:
      '@ai-sdk/openai-compatible 3.0.92: `extra_content.google.thought_signature` of a call is sent back',
  },
  {
    wires: ['anthropic-beta'],
    type: 'MessageCreateParamsBase',
    absent: 'betas',
    source:
      '@anthropic-ai/sdk 1.12.0, resources/beta/messages/messages.js: sent as the header `anthropic-beta`',
  },
]

/** Applies the corrections to a generated schema: the type may be its root or one of its definitions. */
export function correctSchema(schema: JsonObject, rootType: string, wire: Wire): JsonObject {
  const copy = structuredClone(schema)
  const { definitions } = copy
  for (const { wires, type, inside = rootType, absent, optional, more } of SCHEMA_CORRECTIONS) {
    const target = type === rootType ? copy : isObject(definitions) ? definitions[type] : undefined
    if (!wires.includes(wire) || inside !== rootType || !isObject(target)) continue
    const { required, properties } = target
    const loose = absent ?? optional
    if (Array.isArray(required) && required.includes(loose)) {
      required.splice(required.indexOf(loose), 1)
    }
    if (!isObject(properties)) continue
    if (absent !== undefined) Reflect.deleteProperty(properties, absent)
    if (more !== undefined) Reflect.set(properties, more, {})
  }
  return copy
}
