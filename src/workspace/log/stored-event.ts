/** An event as a log has it, of whatever format: only that it has a type is known of it. */
export type StoredEvent = Readonly<Record<string, unknown>> & { readonly type: string }
