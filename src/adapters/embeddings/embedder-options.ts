import { contentHash } from '../../kernel/content-hash.ts'
import type { EmbeddingPurpose } from '../../search/vectors/embedder.ts'

/** A value for documents and one for queries; models that part them want both. */
export type ByPurpose<T> = Readonly<Partial<Record<EmbeddingPurpose, T>>>

/** What holds for every embedding model, wherever it runs. */
export interface EmbedderOptions {
  /** What embeddings are cached under; the provider's and the model's name when absent. */
  readonly name?: string
  /** Numbers in a vector, for models that can be asked for fewer. */
  readonly dimensions?: number
  /** What goes before each text: `{ query: 'query: ', document: 'passage: ' }` for models of the E5 family. */
  readonly prefix?: ByPurpose<string>
  /**
   * Milliseconds that a request may take with all its retries, waiting for a rate limit included:
   * 2,000 for a query, because somebody waits for it, and 60,000 for documents.
   */
  readonly timeoutMs?: ByPurpose<number>
}

const TIMEOUTS = { query: 2_000, document: 60_000 } as const

export function timeoutOf({ timeoutMs }: EmbedderOptions, purpose: EmbeddingPurpose): number {
  return timeoutMs?.[purpose] ?? TIMEOUTS[purpose]
}

/** Texts as the model wants them. */
export function prefixed(
  texts: readonly string[],
  { prefix }: EmbedderOptions,
  purpose: EmbeddingPurpose,
): string[] {
  const before = prefix?.[purpose] ?? ''
  return texts.map((text) => before + text)
}

/** The name embeddings are cached under: with a digest of the settings that change the vectors. */
export function modelName(
  model: string,
  { name = model, dimensions, prefix }: EmbedderOptions,
  more?: unknown,
): string {
  const before = prefix?.document ?? ''
  const isPlain = dimensions === undefined && before === '' && more === undefined
  if (isPlain) return name
  const settings = { dimensions: dimensions ?? null, before, more: more ?? null }
  return `${name} ${contentHash(settings).slice(7, 15)}`
}
