/** What changes a session is done one after another; sessions do not wait for each other. */
export class SessionTurns {
  readonly #last = new Map<string, Promise<unknown>>()

  async run(session: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#last.get(session) ?? Promise.resolve()).then(work)
    const settled = turn.catch(() => undefined)
    this.#last.set(session, settled)
    try {
      await turn
    } finally {
      if (this.#last.get(session) === settled) this.#last.delete(session)
    }
  }

  /** Resolves when all that was begun so far is done, whatever became of it. */
  async settle(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
