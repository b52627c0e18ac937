/**
 * The outcome for a keyword that a provider does not support. Arguments of calls are always validated with
 * the complete canonical schema.
 *
 * - `dropped`: the model does not see it.
 * - `described`: the model reads it as text in the description.
 * - `widened`: the model sees that more is allowed than really is.
 * - `narrowed`: the model sees that less is allowed than really is, so some calls cannot be made.
 * - `refused`: the provider is known to refuse such a schema completely.
 * - `renamed`: the model sees this key under another name. Nothing is lost.
 */
export type LossKind = 'dropped' | 'described' | 'widened' | 'narrowed' | 'refused' | 'renamed'

/** A keyword of a schema that a provider does not support. */
export interface SchemaLoss {
  /** A JSON Pointer to the schema with the keyword, in the canonical schema; empty for the top. */
  readonly path: string
  readonly keyword: string
  readonly what: LossKind
  /** A sentence for people. */
  readonly message: string
}

/** Manifests contain these words and their digests cover them, so they must not change. */
const WORDS: Readonly<Record<LossKind, string>> = {
  dropped: 'is left out, so the model is not told',
  described: 'is told in the description only',
  widened: 'is told more loosely than it is meant',
  narrowed: 'is told more narrowly than it is meant',
  refused: 'goes beyond what the provider takes',
  renamed: 'is not a key that the provider takes',
}

/** Collects the losses of one conversion, once for each place and keyword. */
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
