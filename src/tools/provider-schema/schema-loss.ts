/**
 * What happens to a keyword that a provider cannot carry. Whatever the model is not told, calls are
 * still held to: arguments are validated against the canonical schema.
 *
 * - `dropped`: the model is not told.
 * - `described`: it is told in the description, as text.
 * - `widened`: it is told that more is allowed than is.
 * - `narrowed`: it is told that less is allowed than is, so some calls cannot be made.
 * - `refused`: the provider is known to refuse such a schema as a whole.
 */
export type LossKind = 'dropped' | 'described' | 'widened' | 'narrowed' | 'refused'

/** One keyword of a schema that a provider cannot carry. */
export interface SchemaLoss {
  /** JSON Pointer to the schema the keyword stands in, from the canonical schema; `` is the top. */
  readonly path: string
  readonly keyword: string
  readonly what: LossKind
  /** A sentence for people. */
  readonly message: string
}

const WORDS: Readonly<Record<LossKind, string>> = {
  dropped: 'is left out, so the model is not told',
  described: 'is told in the description only',
  widened: 'is told more loosely than it is meant',
  narrowed: 'is told more narrowly than it is meant',
  refused: 'goes beyond what the provider takes',
}

/** Gathers the losses of one conversion, each place and keyword once. */
export class LossList {
  readonly #losses = new Map<string, SchemaLoss>()

  get list(): readonly SchemaLoss[] {
    return [...this.#losses.values()]
  }

  add(path: string, keyword: string, what: LossKind, why = ''): void {
    const key = JSON.stringify([path, keyword])
    if (this.#losses.has(key)) return
    const message = `"${keyword}" ${WORDS[what]}${why === '' ? '' : `: ${why}`}.`
    this.#losses.set(key, { path, keyword, what, message })
  }
}
