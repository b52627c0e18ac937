import type { JsonSchema } from '../../kernel/json-value.ts'

/** What a Standard Schema answers when it looked at a value. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A schema of a library that follows Standard Schema 1 (zod, valibot, arktype). It must also
 * give JSON Schema, by the `jsonSchema` member of the same standard, or be one of zod 4.
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

/** What `jsonSchema()` of the AI SDK makes: JSON Schema with a type and, perhaps, a validator. */
export interface AiSdkSchema<Value = unknown> {
  readonly _type: Value
  readonly jsonSchema: unknown
  readonly validate?: ((value: unknown) => AiSdkResult | PromiseLike<AiSdkResult>) | undefined
}

type AiSdkResult =
  | { readonly success: true; readonly value: unknown }
  | { readonly success: false; readonly error: Error }

/** A schema that brings its types along. */
export type TypedSchema = StandardSchema | AiSdkSchema

/** Whatever describes a tool's input or output. */
export type SchemaSource = TypedSchema | JsonSchema

/** What a caller passes. */
export type SchemaInput<Source> =
  Source extends StandardSchema<infer Input, unknown>
    ? Input
    : Source extends AiSdkSchema<infer Value>
      ? Value
      : unknown

/** What a value is once the schema parsed it. */
export type SchemaOutput<Source> =
  Source extends StandardSchema<unknown, infer Output>
    ? Output
    : Source extends AiSdkSchema<infer Value>
      ? Value
      : unknown

/** One thing wrong with a value, with the path to it (`/rows/0/name`, `` for the whole). */
export interface ValueIssue {
  readonly path: string
  readonly message: string
}

/** A value after its schema had a look at it. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly ValueIssue[] }
