import type { JsonSchema } from '../../../kernel/json.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { Fact } from '../document/prompt-document.ts'

/** Values of an enum that are told one by one. */
const MANY = 12

/**
 * The arguments of a tool, one line each: name, type, whether it must be given, description.
 * For prompts whose request does not carry the schema; what is nested is told as its type only.
 */
export function argumentFacts(schema: JsonSchema): Fact[] {
  const properties = recordOf(schema['properties'])
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(properties).map(([name, value]) => {
    const argument = recordOf(value)
    const optional = required.has(name) ? '' : '?'
    const description = argument['description']
    return {
      label: sanitiseLine(`${name}${optional}`),
      value: sanitiseLine(
        typeof description === 'string' && description !== ''
          ? `${typeOf(argument)}, ${description}`
          : typeOf(argument),
      ),
    }
  })
}

function typeOf(schema: JsonSchema, depth = 0): string {
  const choices = schema['enum']
  if (Array.isArray(choices)) {
    const told = choices.slice(0, MANY).map((choice) => JSON.stringify(choice))
    return told.join(' | ') + (choices.length > MANY ? ' | …' : '')
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  const type = schema['type']
  if (type === 'array') {
    return depth > 2 ? 'list' : `list of ${typeOf(recordOf(schema['items']), depth + 1)}`
  }
  if (typeof type === 'string') return type
  return Array.isArray(type) ? type.join(' | ') : 'any'
}

function recordOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}
