/** Lines under way: collapses white space, and never writes two empty lines in a row. */
export class LineBuilder {
  readonly #done: string[] = []
  #parts: string[] = []
  #mark = ''
  #gap = false
  #spaced = false

  /** Text in which white space only parts words; a no-break space is part of one. */
  add(text: string): void {
    if (/^[ \t\n\r\f]/.test(text)) this.#gap = true
    for (const word of text.split(/[ \t\n\r\f]+/)) {
      if (word === '') continue
      if (this.#gap && this.#parts.length > 0) this.#parts.push(' ')
      this.#parts.push(word)
      this.#gap = true
    }
    if (text !== '') this.#gap = /[ \t\n\r\f]$/.test(text.slice(-1))
  }

  /** Text whose white space and line ends count. */
  addAsIs(text: string): void {
    const [first = '', ...rest] = text.split(/\r\n|\n|\r/)
    this.#parts.push(first)
    for (const line of rest) {
      this.end()
      this.#parts.push(line)
    }
  }

  /** Between two things on one line; at its start there is nothing to part. */
  separate(sign: string): void {
    if (this.#parts.length > 0) this.#parts.push(sign)
    this.#gap = false
  }

  /** Put in front of the next line, once it has something to say. */
  mark(sign: string): void {
    this.#mark = sign
  }

  /** Leave an empty line before the next one. */
  space(): void {
    this.#spaced = true
  }

  /** End the line under way; an empty one is none. */
  end(): void {
    const line = this.#parts.join('')
    this.#parts = []
    this.#gap = false
    if (line.trim() === '') return
    if (this.#spaced && this.#done.length > 0) this.#done.push('')
    this.#done.push(this.#mark + line)
    this.#mark = ''
    this.#spaced = false
  }

  /** Everything so far. */
  text(): string {
    this.end()
    return this.#done.join('\n')
  }
}
