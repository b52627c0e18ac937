import type { JsonSchema } from '../../kernel/json-value.ts'

/** The result of validating a value with a Standard Schema. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A schema of a library that follows Standard Schema 1 (zod, valibot, arktype). It must also provide JSON
 * Schema, with the `jsonSchema` member of the same standard, or be a schema of zod 3 or 4.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/** The result of the AI SDK's `jsonSchema()`: JSON Schema with a type and an optional validator. */
export interface AiSdkSchema<Value = unknown> {
  readonly _type: Value
  readonly jsonSchema: unknown
  readonly validate?: ((value: unknown) => AiSdkResult | PromiseLike<AiSdkResult>) | undefined
}

type AiSdkResult =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

/** A schema with TypeScript types. */
export type TypedSchema = StandardSchema | AiSdkSchema

/** A schema of a tool's input or output, in any supported form. */
export type SchemaSource = TypedSchema | JsonSchema

/** The type of a value before parsing. */
export type SchemaInput<Source> =
  Source extends StandardSchema<infer Input, unknown>
    ? Input
    : Source extends AiSdkSchema<infer Value>
      ? Value
      : unknown

/** The type of a value after parsing. */
export type SchemaOutput<Source> =
  Source extends StandardSchema<unknown, infer Output>
    ? Output
    : Source extends AiSdkSchema<infer Value>
      ? Value
      : unknown

/** A problem of a value, with its path (`/rows/0/name`, empty for the value itself). */
export interface ValueIssue {
  readonly path: string
  readonly message: string
}

/** The result of parsing a value with its schema. */
export type Parsed<T> =
  | {
      readonly ok: true
      readonly value: T
      /** Places of arguments that the schema does not know, and that were left out; absent if there are none. */
      readonly leftOut?: readonly string[]
    }
  | { readonly ok: false; readonly issues: readonly ValueIssue[] }
