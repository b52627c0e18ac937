/** A regular expression as a tree, as far as the patterns of this project need one. */
export type PatternNode =
  /** One letter, class or escape that matches text; `source` is its text in the pattern. */
  | { readonly kind: 'atom'; readonly source: string }
  /** A place, such as `^` or `\b`, that matches no text. */
  | { readonly kind: 'place'; readonly source: string }
  | { readonly kind: 'ahead'; readonly isWanted: boolean; readonly inner: PatternNode }
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly item: PatternNode
      readonly least: number
      readonly most: number
      readonly isLazy: boolean
    }

/** Reads a pattern; throws for syntax that it does not know (lookbehind, references to groups). */
export function patternTree(source: string): PatternNode {
  const reader = new PatternReader(source)
  const tree = reader.choice()
  if (!reader.isAtEnd) throw new Error(`/${source}/ is not read further than ${reader.at}.`)
  return tree
}

class PatternReader {
  readonly #source: string
  at = 0

  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.at >= this.#source.length
  }

  choice(): PatternNode {
    const options = [this.#sequence()]
    while (this.#takes('|')) options.push(this.#sequence())
    const [only] = options
    return options.length === 1 && only ? only : { kind: 'choice', options }
  }

  #sequence(): PatternNode {
    const items: PatternNode[] = []
    while (!this.isAtEnd && !this.#sees('|') && !this.#sees(')')) items.push(this.#repeated())
    return { kind: 'sequence', items }
  }

  #repeated(): PatternNode {
    const item = this.#single()
    const [written, least, comma, most] = this.#match(/[*+?]|\{(\d+)(,)?(\d+)?\}/y)
    if (written === '') return item
    const isLazy = this.#takes('?')
    if (least === undefined) {
      const from = written === '+' ? 1 : 0
      return { kind: 'repeat', item, least: from, most: written === '?' ? 1 : Infinity, isLazy }
    }
    const bound = most === undefined ? Infinity : Number(most)
    const to = comma === undefined ? Number(least) : bound
    return { kind: 'repeat', item, least: Number(least), most: to, isLazy }
  }

  #single(): PatternNode {
    const [ahead] = this.#match(/\(\?[=!]/y)
    if (ahead !== '') {
      return { kind: 'ahead', isWanted: ahead === '(?=', inner: this.#rest() }
    }
    if (this.#match(/\((?:\?(?::|<\w+>))?(?!\?)/y)[0] !== '') return this.#rest()
    const [place] = this.#match(/[\^$]|\\[bB]/y)
    if (place !== '') return { kind: 'place', source: place }
    if (this.#sees('[')) return { kind: 'atom', source: this.#set() }
    const [source] = this.#match(
      /\\(?:[pP]\{[^}]+\}|u\{[^}]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^1-9k])|[^()[\]{}*+?|\\]/uy,
    )
    if (source === '') throw new Error(`/${this.#source}/ has something unknown at ${this.at}.`)
    return { kind: 'atom', source }
  }

  #rest(): PatternNode {
    const inner = this.choice()
    if (!this.#takes(')')) throw new Error(`/${this.#source}/ has a group that stays open.`)
    return inner
  }

  /** Nested sets belong to the flag `v`. With other flags a bracket must be escaped. */
  #set(): string {
    const start = this.at
    let depth = 0
    do {
      if (this.#sees('\\')) this.at += 1
      else if (this.#sees('[')) depth += 1
      else if (this.#sees(']')) depth -= 1
      this.at += 1
    } while (depth > 0 && !this.isAtEnd)
    return this.#source.slice(start, this.at)
  }

  #match(sticky: RegExp): readonly [string, ...(string | undefined)[]] {
    sticky.lastIndex = this.at
    const [found = '', ...groups] = sticky.exec(this.#source) ?? []
    this.at += found.length
    return [found, ...groups]
  }

  #sees(character: string): boolean {
    return this.#source[this.at] === character
  }

  #takes(character: string): boolean {
    const isThere = this.#sees(character)
    if (isThere) this.at += 1
    return isThere
  }
}
