import type { ToolDocument } from 'loadout/search'

/** A document in the form for peers: plain texts, identifiers in parts. */
export interface PlainFields {
  readonly name: string
  readonly description: string
  readonly phrases: string
  readonly parameters: string
  readonly owner: string
}

const DEEPEST = 6

/** Returns everything that Loadout receives too, in fields that any engine can take. */
export function plainFields(document: ToolDocument): PlainFields {
  const { name, description, phrases = [], topic = '', owner = '', inputSchema } = document
  return {
    name: parts(name),
    description,
    phrases: phrases.join('\n'),
    parameters: parts(parameterTexts(inputSchema, 0).join('\n')),
    owner: parts(`${owner}\n${topic}`),
  }
}

/** Returns identifiers in parts, which no peer does by default. */
export function parts(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-./]+/g, ' ')
}

function parameterTexts(schema: unknown, depth: number): readonly string[] {
  if (!isRecord(schema) || depth > DEEPEST) return []
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  return [
    ...properties.flatMap(([name, inner]) => [
      name,
      isRecord(inner) && typeof inner['description'] === 'string' ? inner['description'] : '',
      ...parameterTexts(inner, depth + 1),
    ]),
    ...parameterTexts(schema['items'], depth + 1),
  ]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
