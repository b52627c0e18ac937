import type { JsonSchema } from '../../kernel/json.ts'

/** Names of parameters with values they may take, and what is written about them. */
export interface SchemaWords {
  readonly names: readonly string[]
  readonly texts: readonly string[]
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const
const DEEPEST = 6
const MOST_PARAMETERS = 200
const MOST_VALUES = 20
/** Schemas within the schema that are looked at, empty ones too. */
const MOST_PARTS = 2_000

/** The words of a schema's parameters at any depth; bounded, so a hostile schema costs little. */
export function schemaWords(schema: JsonSchema | undefined): SchemaWords {
  const names: string[] = []
  const texts: string[] = []
  let parts = 0
  const visit = (part: unknown, depth: number): void => {
    if (!isRecord(part) || depth > DEEPEST || names.length >= MOST_PARAMETERS) return
    parts += 1
    if (parts > MOST_PARTS) return
    const { description, properties, items } = part
    if (depth > 0 && typeof description === 'string') texts.push(description)
    for (const value of listOf(part['enum']).slice(0, MOST_VALUES)) {
      if (typeof value === 'string') names.push(value)
    }
    if (isRecord(properties)) {
      for (const name of Object.keys(properties)) {
        if (names.length >= MOST_PARAMETERS) return
        names.push(name)
        visit(properties[name], depth + 1)
      }
    }
    visit(items, depth + 1)
    for (const keyword of ALTERNATIVES) {
      for (const inner of listOf(part[keyword])) visit(inner, depth + 1)
    }
  }
  visit(schema, 0)
  return { names, texts }
}

const NONE: readonly unknown[] = []

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
