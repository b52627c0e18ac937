/**
 * Keywords that every conversion reads for itself: the parts a value is made of, and what says nothing
 * of a value.
 */
export const STRUCTURE = [
  'type',
  'description',
  'properties',
  'required',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
] as const
