/** Who follows which session of a log. */
export class Followers {
  readonly #listeners = new Map<string, Set<() => void>>()

  /** Gives back what ends it. */
  follow(session: string, listener: () => void): () => void {
    const told = () => listener()
    const all = this.#listeners.get(session) ?? new Set()
    this.#listeners.set(session, all.add(told))
    return () => {
      all.delete(told)
      if (all.size === 0 && this.#listeners.get(session) === all) this.#listeners.delete(session)
    }
  }

  get sessions(): readonly string[] {
    return [...this.#listeners.keys()]
  }

  tell(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) listener()
  }

  clear(): void {
    this.#listeners.clear()
  }
}
