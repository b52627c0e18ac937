import { _, Name, type CodeKeywordDefinition } from 'ajv/dist/2020.js'
import { EVALUATED_KEYWORD, SETTLED_KEYWORD } from './own-keywords.ts'

/**
 * What ajv needs to be told so that `unevaluatedProperties` and `unevaluatedItems` know what the
 * rest of a schema has looked at. By itself ajv takes over what the element before had evaluated,
 * takes a name that every object inherits for an evaluated one, and a list no branch spoke of too.
 *
 * Which items a `contains` has evaluated ajv does not know; all of them are held for evaluated, so
 * that a value the author accepts is never refused.
 */
export const evaluatedKeywords: readonly CodeKeywordDefinition[] = [
  {
    keyword: EVALUATED_KEYWORD,
    before: '$ref',
    code: ({ gen, it, parentSchema }) => {
      it.props = gen.var('props', _`{ __proto__: null }`)
      it.items = gen.var('items', Object.hasOwn(parentSchema, 'contains') ? Infinity : 0)
    },
  },
  {
    // ajv compares the length of a list with the `true` of one that is evaluated as a whole.
    keyword: SETTLED_KEYWORD,
    type: 'array',
    before: 'unevaluatedItems',
    code: ({ gen, it: { items } }) => {
      if (items instanceof Name) gen.if(_`${items} === true`, () => gen.assign(items, Infinity))
    },
  },
]
