import type { JsonSchema } from '../../../kernel/json.ts'

const text: JsonSchema = { type: 'string' }
const callable: JsonSchema = { enum: ['on-call', 'load-first', 'next-turn'] }

const tool: JsonSchema = {
  type: 'object',
  properties: {
    name: text,
    signature: text,
    description: text,
    inputSchema: { type: 'object' },
    skill: text,
    callable,
  },
  required: ['name', 'signature'],
  additionalProperties: false,
}

const skill: JsonSchema = {
  type: 'object',
  properties: { id: text, description: text, loaded: { type: 'boolean' } },
  required: ['id', 'loaded'],
  additionalProperties: false,
}

/** `SearchPage` as a JSON Schema. */
export const pageSchema: JsonSchema = {
  type: 'object',
  properties: {
    tools: { type: 'array', items: tool },
    skills: { type: 'array', items: skill },
    rules: text,
    instruction: text,
    confidence: { type: 'number', minimum: 0, maximum: 1 },
    shortened: { type: 'array', items: text },
    degraded: text,
    stopped: { enum: ['same-query', 'empty-results', 'flapping'] },
  },
  required: ['tools', 'skills', 'rules', 'instruction', 'confidence', 'shortened'],
  additionalProperties: false,
}
