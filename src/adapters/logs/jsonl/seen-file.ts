import type { Entry } from '../../../engine/model/event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { entryHash } from '../../../workspace/log/entry-hash.ts'
import type { KnownDefinitions } from './known-definitions.ts'
import { readLogFile } from './log-file.ts'
import { isEndOfLine, LINE_END_BYTES } from './log-line.ts'
import { LOG_BEGINNING, type LogPosition } from './log-position.ts'
import { type LogScan, scanLog } from './scan-log.ts'

/** Entries that a look found, one after another. */
export interface SeenEntries {
  readonly entries: readonly Entry[]
  /** Number of the first, or of the one that would be. */
  readonly first: number
}

/** What this process appended: where the file ends now, and which file that is. */
interface OwnAppend {
  readonly entries: readonly Entry[]
  readonly end: LogPosition
  readonly identity: string
}

/**
 * A log file as this process saw it last, so that a look reads only what came since. Another process
 * may have appended, cut the file, deleted it or put another in its place.
 */
export class SeenFile {
  readonly #file: string
  readonly #definitions: KnownDefinitions
  #end = LOG_BEGINNING
  #lastHash: ContentHash | undefined
  #identity: string | null = null
  #unfinished: Uint8Array = new Uint8Array()

  constructor(file: string, definitions: KnownDefinitions) {
    this.#file = file
    this.#definitions = definitions
  }

  /** Where the last whole append ends. */
  get end(): LogPosition {
    return this.#end
  }

  /** Hash of the last entry before that. */
  get lastHash(): ContentHash | undefined {
    return this.#lastHash
  }

  /** What stands after it: an append that is being written, or that a crash cut short. */
  get unfinished(): Uint8Array {
    return this.#unfinished
  }

  /** Read what the file has from a position on; from its beginning when it is another file. */
  async look(from: LogPosition): Promise<SeenEntries> {
    let start = from
    const read = await readLogFile(this.#file, (identity, size) => {
      if (identity !== this.#identity || size < this.#end.offset) start = LOG_BEGINNING
      if (start === LOG_BEGINNING) this.forget()
      this.#identity = identity
      return start.offset - overlapAt(start)
    })
    if (read === null) {
      this.forget()
      return { entries: [], first: 0 }
    }
    const bytes = read.bytes.subarray(overlapAt(start))
    const scan = this.#scan(read.bytes, start)
    if (scan === null) return this.look(LOG_BEGINNING)
    const { entries, definitions, end, unfinished } = scan
    this.#definitions.noteRead(definitions)
    this.#moveOn(entries, end)
    this.#unfinished = bytes.subarray(bytes.length - unfinished)
    return { entries, first: start.version }
  }

  noteAppend({ entries, end, identity }: OwnAppend): void {
    this.#identity = identity
    this.#moveOn(entries, end)
  }

  /** What was unfinished is no longer in the file. */
  noteSetAside(): void {
    this.#unfinished = new Uint8Array()
  }

  /** The file is gone, or another one. */
  forget(): void {
    this.#end = LOG_BEGINNING
    this.#lastHash = undefined
    this.#identity = null
    this.#unfinished = new Uint8Array()
    this.#definitions.forgetFile()
  }

  /**
   * Null where the file no longer has what this process saw before that position: a writer whose disk
   * failed may have cut it off again, and a file can get the content of another.
   */
  #scan(bytes: Uint8Array, start: LogPosition): LogScan | null {
    const overlap = overlapAt(start)
    if (overlap > 0 && !isEndOfLine(bytes.subarray(0, overlap), start.sum)) return null
    try {
      return scanLog(bytes.subarray(overlap), start, this.#file)
    } catch (error) {
      if (start === LOG_BEGINNING || !WorkspaceError.is(error)) throw error
      return null
    }
  }

  #moveOn(entries: readonly Entry[], end: LogPosition): void {
    const last = entries.at(-1)
    if (last !== undefined) this.#lastHash = entryHash(last)
    this.#end = end
  }
}

/** Bytes before a position that are read with what follows it: they say whether it is still the same log. */
function overlapAt({ offset }: LogPosition): number {
  return Math.min(offset, LINE_END_BYTES)
}
