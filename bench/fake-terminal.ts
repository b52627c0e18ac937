import { openSync } from 'node:fs'
import { devNull } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** Keys as a terminal sends them. */
export class FakeInput extends Readable {
  readonly isTTY = true
  override _read(): void {}
  setRawMode(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/**
 * Milliseconds without a byte after which a frame is complete. Screens delay frames to draw at most 60 a
 * second, so this is several times that interval.
 */
const QUIET_MS = 50

/** The characters of a mark around a frame; frames are longer. */
const MARK_LENGTH = 8

/** The frames that one change of a screen led to. */
export interface Written {
  /** From the start of the change to its last byte. */
  readonly ms: number
  readonly bytes: number
  readonly text: string
}

/** A terminal that draws nothing: it records what was written, and the time of the last byte. */
export class FakeOutput extends Writable {
  readonly isTTY = true
  /** The screen writes its last escape sequences to a descriptor, not to the stream. */
  readonly fd = openSync(devNull, 'w')
  readonly columns: number
  readonly rows: number
  /** Frames that were written so far. */
  frames = 0
  #chunks: string[] = []
  #lastWrite = 0
  #awaited: readonly { readonly text: string; resolve(): void }[] = []

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false })
    this.columns = columns
    this.rows = rows
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    const text = String(chunk)
    this.#chunks.push(text)
    this.#lastWrite = performance.now()
    // The marks around a synchronised frame are written on their own.
    if (text.length > MARK_LENGTH) this.frames += 1
    for (const one of this.#awaited) if (text.includes(one.text)) one.resolve()
    this.#awaited = this.#awaited.filter((one) => !text.includes(one.text))
    done()
  }

  /** Resolves when a frame has a text. */
  seen(text: string): Promise<void> {
    return new Promise((resolve) => (this.#awaited = [...this.#awaited, { text, resolve }]))
  }

  /** Makes a change and waits for all its frames; a change that leads to no frame is an error. */
  async measure(change: () => void): Promise<Written> {
    this.#chunks = []
    const start = performance.now()
    change()
    for (let known = -1; known !== this.#chunks.length || known === 0;) {
      known = this.#chunks.length
      await setTimeout(QUIET_MS)
      if (performance.now() - start > 10_000) throw new Error('A change led to no frame.')
    }
    const text = this.#chunks.join('')
    return {
      ms: this.#lastWrite - start,
      bytes: Buffer.byteLength(text),
      text,
    }
  }
}
