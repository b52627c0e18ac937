import { sanitiseText } from '../../kernel/sanitise-text.ts'

/**
 * What is kept of a stream: all of it, or its beginning and its end with a notice between. Bounded,
 * however much comes.
 */
export class KeptOutput {
  readonly #half: number
  #head = Buffer.alloc(0)
  #tail: readonly Buffer[] = []
  #tailBytes = 0
  #total = 0

  /** @param maxBytes bytes that are kept in all */
  constructor(maxBytes: number) {
    this.#half = Math.ceil(maxBytes / 2)
  }

  /** Bytes that came. */
  get total(): number {
    return this.#total
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length
    const room = this.#half - this.#head.length
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)])
    const rest = chunk.subarray(Math.max(0, room))
    if (rest.length === 0) return
    this.#tail = [...this.#tail, rest]
    this.#tailBytes += rest.length
    if (this.#tailBytes > 2 * this.#half) {
      const end = Buffer.concat(this.#tail).subarray(-this.#half)
      this.#tail = [Buffer.from(end)]
      this.#tailBytes = end.length
    }
  }

  /** As text for a model and a terminal: hidden characters are shown. */
  text(): string {
    const end = Buffer.concat(this.#tail).subarray(-this.#half)
    const left = this.#total - this.#head.length - end.length
    if (left === 0) return sanitiseText(decode(Buffer.concat([this.#head, end])))
    const head = new TextDecoder('utf-8').decode(this.#head, { stream: true })
    const tail = decode(end.subarray(continuation(end)))
    const notice = `\n[… ${left.toLocaleString('en')} bytes left out …]\n`
    return sanitiseText(head) + notice + sanitiseText(tail)
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes)
}

/** Bytes at the start of a cut that belong to the character before it. */
function continuation(bytes: Uint8Array): number {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80)
  return start < 0 ? Math.min(3, bytes.length) : start
}
