import { Readable, Writable } from 'node:stream'
import xterm, { type Terminal } from '@xterm/headless'

/** Keys as a terminal sends them. */
export class FakeInput extends Readable {
  readonly isTTY = true
  /** Every raw mode that was set, in order. */
  readonly rawModes: boolean[] = []
  override _read(): void {}
  setRawMode(isRaw: boolean): this {
    this.rawModes.push(isRaw)
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/** A terminal of any size: what is written to it is kept, and drawn by an emulator. */
export class FakeOutput extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Everything written so far. */
  written = ''
  readonly emulator: Terminal
  #waiting: (() => void)[] = []

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false })
    this.columns = columns
    this.rows = rows
    // A terminal's line discipline makes CR LF of LF, raw input or not.
    this.emulator = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      convertEol: true,
    })
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    const text = String(chunk)
    this.written += text
    this.emulator.write(text, () => {
      done()
      for (const wake of this.#waiting.splice(0)) wake()
    })
  }

  /** Resolves after something more was written and drawn. */
  nextWrite(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** As a window that is dragged to another size. */
  resize(columns: number, rows: number): void {
    this.columns = columns
    this.rows = rows
    this.emulator.resize(columns, rows)
    this.emit('resize')
  }

  /** The visible screen: every row, without trailing blanks. */
  screen(): string {
    const { active } = this.emulator.buffer
    const rows = Array.from(
      { length: this.rows },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '',
    )
    return rows
      .map((row) => row.trimEnd())
      .join('\n')
      .trimEnd()
  }
}
