import type { JsonObject } from '../wire.ts'

/**
 * The bodies of the Gemini API as far as adapters use it, written by hand from the declarations of `@google/genai`
 * 3.3.0 (`dist/genai.d.ts`) and from what its client sends: the package is not installed here. Objects are closed.
 */
const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const text = { type: 'string' }

const count = { type: 'integer', minimum: 0 }

const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })

const blob = closed({ mimeType: text, data: text }, ['mimeType', 'data'])

const part = closed({
  text,
  thought: { type: 'boolean' },
  thoughtSignature: text,
  functionCall: closed({ id: text, name: text, args: { type: 'object' } }, ['name']),
  functionResponse: closed(
    {
      id: text,
      name: text,
      response: { type: 'object' },
      parts: listOf(closed({ inlineData: blob })),
    },
    ['name', 'response'],
  ),
  inlineData: blob,
})

const content = closed(
  { role: { enum: ['user', 'model'] }, parts: { ...listOf(part), minItems: 1 } },
  ['parts'],
)

const declaration = closed(
  { name: text, description: text, parametersJsonSchema: { type: 'object' } },
  ['name', 'description'],
)

const tool = closed({ functionDeclarations: listOf(declaration), googleSearch: { type: 'object' } })

const response = closed(
  {
    candidates: listOf(
      closed({
        content: closed({ role: { const: 'model' }, parts: listOf(part) }),
        finishReason: text,
        index: count,
      }),
    ),
    promptFeedback: closed({ blockReason: text }),
    modelVersion: text,
    responseId: text,
    usageMetadata: closed({
      promptTokenCount: count,
      cachedContentTokenCount: count,
      candidatesTokenCount: count,
      thoughtsTokenCount: count,
      totalTokenCount: count,
    }),
  },
  ['responseId'],
)

export const GEMINI_SCHEMAS = {
  request: closed(
    {
      contents: { ...listOf(content), minItems: 1 },
      systemInstruction: content,
      tools: { ...listOf(tool), minItems: 1 },
      toolConfig: { type: 'object' },
      generationConfig: { type: 'object' },
    },
    ['contents'],
  ),
  response,
  event: response,
} as const
