import type { LossKind, SchemaLoss } from './schema-loss.ts'

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
