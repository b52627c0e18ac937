import type { JsonSchema } from '../../kernel/json.ts'
import { isSchemaObject } from '../schema/subschemas.ts'
import { own } from '../schema/members.ts'

/** The same schema, with null allowed. */
export function nullableSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const types = [type].flat().filter((one) => one !== undefined)
  const alternatives = own(schema, 'anyOf')
  if (Array.isArray(alternatives)) {
    const has = alternatives.some((one) => isSchemaObject(one) && one['type'] === 'null')
    return has ? schema : { ...schema, anyOf: [...alternatives, { type: 'null' }] }
  }
  if (types.length === 0 || Object.hasOwn(schema, 'const')) {
    return { anyOf: [schema, { type: 'null' }] }
  }
  return {
    ...schema,
    type: types.includes('null') ? type : [...types, 'null'],
    ...(Array.isArray(values) &&
      !values.includes(null) && { enum: [...(values as unknown[]), null] }),
  }
}
