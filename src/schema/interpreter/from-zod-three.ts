import * as z from 'zod'
import { zodToJsonSchema } from 'zod-to-json-schema'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import type { SchemaSource, StandardSchema } from './schema-source.ts'
import { mapSubschemas } from './subschemas.ts'

/** The parts of a schema of zod 3 that are used here. */
interface ZodThree {
  readonly _def: { readonly typeName: string }
  safeParseAsync(
    value: unknown,
  ): Promise<
    | { readonly success: true; readonly data: unknown }
    | { readonly success: false; readonly error: { readonly issues: ZodIssues } }
  >
}

type ZodIssues = readonly { readonly message: string; readonly path: readonly PropertyKey[] }[]

/**
 * Returns a schema of zod 3 as a Standard Schema that provides JSON Schema, which zod 3 itself does not. Returns every
 * other source unchanged.
 */
export function fromZodThree<Source extends SchemaSource>(source: Source): Source | StandardSchema {
  if (!isZodThree(source)) return source
  const jsonSchema = () => {
    const options = { target: 'jsonSchema2019-09' } as const
    return withPrefixItems(zodToJsonSchema(source as never, options) as JsonSchema)
  }
  const validate = async (value: unknown) => {
    const parsed = await source.safeParseAsync(value)
    return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues }
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate,
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  }
}

/**
 * Returns the schema of an object with these members, as servers of MCP take it; anything else unchanged.
 *
 * @param given a schema, or a record of schemas of zod
 */
export function fromZodShape(given: unknown): unknown {
  if (!isObject(given) || '~standard' in given || '_def' in given) return given
  const members = Object.entries(given)
  if (members.every(([, member]) => isObject(member) && '_zod' in member)) {
    return z.object(given as Readonly<Record<string, z.ZodType>>)
  }
  if (!members.every(([, member]) => isZodThree(member))) return given
  return objectOfZodThree(members as [string, ZodThree][])
}

/** Makes an object of zod 3 without its code: only an application that uses zod 3 has that. */
function objectOfZodThree(members: readonly (readonly [string, ZodThree])[]): StandardSchema {
  const object = {
    _def: {
      typeName: 'ZodObject',
      shape: () => Object.fromEntries(members),
      unknownKeys: 'strip',
      catchall: { _def: { typeName: 'ZodNever' } },
    },
    async safeParseAsync(value: unknown) {
      if (!isObject(value)) return failed([{ message: 'Expected an object', path: [] }])
      const parsed = await Promise.all(
        members.map(async ([name, member]) => {
          return { name, result: await member.safeParseAsync(value[name]) }
        }),
      )
      const issues = parsed.flatMap(({ name, result }) =>
        result.success
          ? []
          : result.error.issues.map(({ message, path }) => ({ message, path: [name, ...path] })),
      )
      if (issues.length > 0) return failed(issues)
      const data = parsed.flatMap(({ name, result }) =>
        result.success && result.data !== undefined ? [[name, result.data] as const] : [],
      )
      return { success: true as const, data: Object.fromEntries(data) }
    },
  }
  return fromZodThree(object as ZodThree as never)
}

function failed(issues: ZodIssues) {
  return { success: false as const, error: { issues } }
}

function isZodThree(source: unknown): source is ZodThree {
  if (typeof source !== 'object' || source === null || '_zod' in source) return false
  const given: Partial<ZodThree> = source
  return typeof given._def?.typeName === 'string' && typeof given.safeParseAsync === 'function'
}

/** Writes the items of tuples as draft 2020-12 has them. */
function withPrefixItems(schema: JsonSchema): JsonSchema {
  const { items, $ref, ...rest } = mapSubschemas(schema, withPrefixItems)
  return {
    ...rest,
    ...(items !== undefined && { [Array.isArray(items) ? 'prefixItems' : 'items']: items }),
    ...(typeof $ref === 'string' && {
      $ref: $ref.replaceAll(/\/items\/(\d+)/g, '/prefixItems/$1'),
    }),
  }
}
