/** A searched field of a document. */
export type SearchField =
  'name' | 'description' | 'phrases' | 'topic' | 'tags' | 'parameters' | 'owner'

/** The weight of the words of one field. */
export interface FieldWeight {
  /** The weight of one occurrence in a field of the usual length. */
  readonly weight: number
  /** Influence of the length of a field on the weight, from 0 (none) to 1. */
  readonly lengthShare: number
  /** Words in a field of the usual length. Fixed, so that a document weighs the same in every index. */
  readonly usualLength: number
}

/** The fields in the order of their bits in a field set, from bit 0. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  'name',
  'description',
  'phrases',
  'topic',
  'tags',
  'parameters',
  'owner',
]

/** Parameters are one field with two weights, for their names and for their descriptions. */
export const FIELD_WEIGHTS = {
  name: { weight: 2.5, lengthShare: 0.6, usualLength: 3 },
  /** The name as one word. */
  joinedName: { weight: 1, lengthShare: 0, usualLength: 1 },
  description: { weight: 1, lengthShare: 0.7, usualLength: 12 },
  phrases: { weight: 0.7, lengthShare: 0.5, usualLength: 10 },
  topic: { weight: 0.5, lengthShare: 0.3, usualLength: 2 },
  tags: { weight: 1, lengthShare: 0.6, usualLength: 6 },
  parameters: { weight: 0.5, lengthShare: 0.8, usualLength: 12 },
  parameterTexts: { weight: 0.35, lengthShare: 0.8, usualLength: 24 },
  owner: { weight: 3, lengthShare: 0.3, usualLength: 2 },
} as const satisfies Record<SearchField | 'joinedName' | 'parameterTexts', FieldWeight>

/** Returns the bit of a field in a field set. */
export function fieldBit(field: SearchField): number {
  return 1 << SEARCH_FIELDS.indexOf(field)
}

/** Returns the fields of a field set. */
export function fieldsIn(set: number): readonly SearchField[] {
  return SEARCH_FIELDS.filter((_, bit) => (set & (1 << bit)) !== 0)
}
