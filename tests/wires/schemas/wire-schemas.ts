import { Ajv, type ValidateFunction } from 'ajv'
import type { JsonObject, Wire } from '../wire.ts'
import { explainRefusal } from './explain-refusal.ts'
import { GEMINI_SCHEMAS } from './gemini-schemas.ts'
import { generateSchemas } from './generate-schemas.ts'
import { correctSchema } from './schema-corrections.ts'

/** A request, a response that is not streamed, and one event of a streamed response. */
export type BodyKind = 'request' | 'response' | 'event'

interface SourceOfTypes {
  readonly packageName: string
  readonly declarations: string
  readonly types: Readonly<Record<BodyKind, string>>
}

const SOURCES: Readonly<Record<Exclude<Wire, 'gemini'>, SourceOfTypes>> = {
  'openai-responses': {
    packageName: 'openai',
    declarations: 'resources/responses/responses.d.ts',
    types: {
      request: 'ResponseCreateParamsBase',
      response: 'Response',
      event: 'ResponseStreamEvent',
    },
  },
  'openai-chat': {
    packageName: 'openai',
    declarations: 'resources/chat/completions/completions.d.ts',
    types: {
      request: 'ChatCompletionCreateParamsBase',
      response: 'ChatCompletion',
      event: 'ChatCompletionChunk',
    },
  },
  anthropic: {
    packageName: '@anthropic-ai/sdk',
    declarations: 'resources/messages/messages.d.ts',
    types: {
      request: 'MessageCreateParamsBase',
      response: 'Message',
      event: 'RawMessageStreamEvent',
    },
  },
  'anthropic-beta': {
    packageName: '@anthropic-ai/sdk',
    declarations: 'resources/beta/messages/messages.d.ts',
    types: {
      request: 'MessageCreateParamsBase',
      response: 'BetaMessage',
      event: 'BetaRawMessageStreamEvent',
    },
  },
}

/** Returns the reasons against a body, none when its schema accepts it. */
export type CheckBody = (kind: BodyKind, body: unknown) => readonly string[]

/** The generated schemas are large: shorter code is compiled in half of the time. */
const AJV_OPTIONS = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  inlineRefs: false,
  code: { optimize: false },
} as const

const opened = new Map<Wire, Promise<CheckBody>>()

/** Opens the schemas of a wire, generated from the types of its official SDK, or written by hand. */
export function openWireSchemas(wire: Wire): Promise<CheckBody> {
  const known = opened.get(wire)
  if (known !== undefined) return known
  const opening = open(wire)
  opened.set(wire, opening)
  return opening
}

async function open(wire: Wire): Promise<CheckBody> {
  const schemaOf =
    wire === 'gemini' ? (kind: BodyKind) => GEMINI_SCHEMAS[kind] : await generated(wire)
  const compiled = new Map<BodyKind, { schema: JsonObject; accepts: ValidateFunction }>()
  const compile = (kind: BodyKind) => {
    const schema = schemaOf(kind)
    const ajv = new Ajv(AJV_OPTIONS)
    return { schema, accepts: ajv.compile(schema) }
  }
  return (kind, body) => {
    const { schema, accepts } = compiled.get(kind) ?? compile(kind)
    compiled.set(kind, { schema, accepts })
    if (accepts(body)) return []
    const reasons = [...new Set(explainRefusal(schema, body))]
    return reasons.length > 0 ? reasons : (accepts.errors ?? []).map(({ message = '' }) => message)
  }
}

async function generated(wire: keyof typeof SOURCES): Promise<(kind: BodyKind) => JsonObject> {
  const { packageName, declarations, types } = SOURCES[wire]
  const schemas = await generateSchemas(packageName, declarations, Object.values(types))
  return (kind) => correctSchema(schemas[types[kind]] ?? {}, types[kind], wire)
}
