import type { JsonSchema } from '../../kernel/json.ts'
import type { LossList } from './loss-list.ts'
import { own } from '../schema/members.ts'

/** Longer values are not told in words: a description is read at every step. */
const LONGEST = 80

/** Keywords whose value is not a schema, whatever it is. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'default'])

/** A model sends what it was told of anyway. */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

/**
 * Put keywords that a provider does not take into the description, as `(minLength: 3)`; those whose
 * value is long or a schema are dropped. Either way it is a loss. Absent when nothing is to be said.
 */
export function describeKeywords(
  schema: JsonSchema,
  keywords: readonly string[],
  path: string,
  losses: LossList,
): string | undefined {
  const told: string[] = []
  for (const keyword of keywords) {
    const value = own(schema, keyword)
    if (value === undefined) continue
    const text = JSON.stringify(value)
    const isPlain = typeof value !== 'object' || value === null || VALUES.has(keyword)
    if (isPlain && text.length <= LONGEST && !CLOSING.has(keyword)) {
      told.push(`${keyword}: ${text}`)
      losses.add(path, keyword, 'described')
    } else losses.add(path, keyword, 'dropped')
  }
  const description = own(schema, 'description')
  const said = typeof description === 'string' ? [description] : []
  if (told.length > 0) said.push(`(${told.join(', ')})`)
  return said.length === 0 ? undefined : said.join(' ')
}
