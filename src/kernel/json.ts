/** Anything JSON can carry. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON Schema of draft 2020-12, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>
