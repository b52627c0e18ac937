/** Names that are fine everywhere; most are, and are not looked at further. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/**
 * The ids that names of a manifest go by in a catalog, one each. A manifest allows any text as a
 * name; one that cannot be an id is given another that no name of the manifest has.
 */
export class UsableNames {
  readonly #toUsable: (name: string) => string | undefined
  readonly #isTaken: (id: string) => boolean
  readonly #ids = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(
    toUsable: (name: string) => string | undefined,
    /** Whether an id is itself a name of the manifest. */
    isTaken: (id: string) => boolean,
  ) {
    this.#toUsable = toUsable
    this.#isTaken = isTaken
  }

  idOf(name: string): string {
    if (PLAIN.test(name)) return name
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const usable = this.#toUsable(name)
    const id = usable === name ? name : this.#free(usable ?? 'unnamed')
    this.#ids.set(name, id)
    this.#names.set(id, name)
    return id
  }

  /** The name an id was given for. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id
  }

  #free(wanted: string): string {
    const isFree = (id: string) => !this.#names.has(id) && !this.#isTaken(id)
    if (isFree(wanted)) return wanted
    for (let count = 2; ; count += 1) {
      const id = `${wanted.slice(0, 56)}-${count}`
      if (isFree(id)) return id
    }
  }
}
