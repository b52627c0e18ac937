import type { Parsed, ValueIssue } from '../definition/tool.ts'
import type { AiSdkSchema, SchemaSource, StandardIssue, StandardSchema } from './schema-source.ts'
import { pointerToken } from './subschemas.ts'
import { unionIssues } from './union-issues.ts'

/** Parses by the schema's own rules. Rejects when a refinement of the host's code throws. */
export type OwnParser = (value: unknown) => Promise<Parsed<unknown>>

/** Characters of a message that another library wrote; some put the whole value into it. */
const MESSAGE_LIMIT = 500

/** The parser a schema brings along; a plain JSON Schema brings none. */
export function ownParser(source: SchemaSource): OwnParser | undefined {
  if ('~standard' in source) return standardParser(source as StandardSchema)
  if (Symbol.for('vercel.ai.schema') in source) return aiSdkParser(source as AiSdkSchema)
  return undefined
}

function standardParser(schema: StandardSchema): OwnParser {
  return async (value) => {
    const result = await schema['~standard'].validate(value)
    if (result.issues === undefined) return { ok: true, value: result.value }
    return { ok: false, issues: result.issues.flatMap(unionIssues).map(readIssue) }
  }
}

function aiSdkParser({ validate }: AiSdkSchema): OwnParser | undefined {
  if (validate === undefined) return undefined
  return async (value) => {
    const result = await validate(value)
    if (result.success) return { ok: true, value: result.value }
    return { ok: false, issues: [{ path: '', message: shorten(result.error.message) }] }
  }
}

function readIssue({ message, path = [] }: StandardIssue): ValueIssue {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  return {
    path: keys.map((key) => `/${pointerToken(String(key))}`).join(''),
    message: shorten(message),
  }
}

function shorten(message: string): string {
  return message.length > MESSAGE_LIMIT ? `${message.slice(0, MESSAGE_LIMIT)}…` : message
}
