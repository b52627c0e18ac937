/** Where in a document a query was found. */
export type SearchField =
  'name' | 'description' | 'phrases' | 'topic' | 'tags' | 'parameters' | 'owner'

/** How words of one field count. */
export interface FieldWeight {
  /** What one occurrence is worth in a field of the usual length. */
  readonly weight: number
  /** How much a long field takes from each occurrence, from 0 (nothing) to 1. */
  readonly lengthShare: number
  /** Words of a field of the usual length. Fixed, so that a document counts the same in any index. */
  readonly usualLength: number
}

/** The fields in the order of the bits of a field set, the first being bit 0. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  'name',
  'description',
  'phrases',
  'topic',
  'tags',
  'parameters',
  'owner',
]

/** A parameter's name and its description are one field to a reader, with two weights. */
export const FIELD_WEIGHTS = {
  name: { weight: 2.5, lengthShare: 0.6, usualLength: 3 },
  /** The name once more, as one word. */
  joinedName: { weight: 1, lengthShare: 0, usualLength: 1 },
  description: { weight: 1, lengthShare: 0.7, usualLength: 12 },
  phrases: { weight: 0.7, lengthShare: 0.5, usualLength: 10 },
  topic: { weight: 0.5, lengthShare: 0.3, usualLength: 2 },
  tags: { weight: 1, lengthShare: 0.6, usualLength: 6 },
  parameters: { weight: 0.5, lengthShare: 0.8, usualLength: 12 },
  parameterTexts: { weight: 0.35, lengthShare: 0.8, usualLength: 24 },
  owner: { weight: 3, lengthShare: 0.3, usualLength: 2 },
} as const satisfies Record<SearchField | 'joinedName' | 'parameterTexts', FieldWeight>

/** The bit of a field in a field set. */
export function fieldBit(field: SearchField): number {
  return 1 << SEARCH_FIELDS.indexOf(field)
}

/** The fields of a field set. */
export function fieldsOf(set: number): readonly SearchField[] {
  return SEARCH_FIELDS.filter((_, bit) => (set & (1 << bit)) !== 0)
}
