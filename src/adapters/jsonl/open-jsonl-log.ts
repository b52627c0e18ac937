import { realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Entry } from '../../engine/event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { inTurns } from '../../kernel/in-turns.ts'
import type { JsonValue } from '../../kernel/json.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { checkAppend, checkFollows } from '../../session/log/check-append.ts'
import { entryHash } from '../../session/log/entry-hash.ts'
import type { Durability } from '../../session/log/durability.ts'
import { ownEntries } from '../../session/log/own-entries.ts'
import type { EventLog, SessionSummary } from '../../session/ports.ts'
import { storedEntry } from '../../session/stored/stored-entry.ts'
import { errorCode } from './error-code.ts'
import { withFileLock } from './file-lock.ts'
import { readLogFile, setAside, writeFailed, writeLogFile } from './log-file.ts'
import { encodeLines, headerLine, type LogLine } from './log-line.ts'
import { LOG_BEGINNING, type LogPosition } from './log-position.ts'
import { type LogScan, scanLog } from './scan-log.ts'
import { unfinishedNotice } from './unfinished-notice.ts'

export interface JsonlLogOptions {
  /** `full` by default. */
  readonly durability?: Durability
  /** How long an append waits for another process to finish its own, in milliseconds; 5,000 by default. */
  readonly lockWaitMs?: number
}

/** An event log in a file of JSON Lines. */
export interface JsonlLog extends EventLog {
  readonly file: string
  readonly durability: Durability
  /** An append cut short at the end of the file, as the last look found it, and those set aside. */
  readonly notices: readonly Diagnostic[]
}

/**
 * Keep one session in one file, which several processes may read and append to.
 *
 * Nothing is touched before the first use; the file appears with the first append. Reading
 * takes no lock and writes nothing, so it follows a session another process is writing.
 * Appending holds `<file>.lock` for its duration. Definitions are written by the append that
 * follows them, so that no entry ever names one the file lacks; those that no append follows
 * are not kept. An unfinished append at the end is moved to `<file>.torn` by the next one.
 */
export function openJsonlLog(file: string, options: JsonlLogOptions = {}): JsonlLog {
  return new FileLog(resolve(file), options)
}

class FileLog implements JsonlLog {
  readonly file: string
  readonly durability: Durability
  readonly #lockWaitMs: number
  /** The last whole append this process has seen, and in which file. */
  #end = LOG_BEGINNING
  /** Of the last entry before that. */
  #lastHash: ContentHash | undefined
  #identity: string | null = null
  #unfinished: Uint8Array = new Uint8Array()
  readonly #setAside: Diagnostic[] = []
  /** JSON text of the definitions that were put or read. */
  readonly #definitions = new Map<ContentHash, string>()
  readonly #written = new Set<ContentHash>()
  /** What is done on the file is done one after another. */
  readonly #inTurn = inTurns()

  readonly definitions: EventLog['definitions'] = {
    put: async (hash, definition) => {
      if (!this.#definitions.has(hash)) this.#definitions.set(hash, JSON.stringify(definition))
    },
    get: (hash) =>
      this.#inTurn(async () => {
        if (!this.#definitions.has(hash)) await this.#look(this.#end)
        const text = this.#definitions.get(hash)
        return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
      }),
  }

  constructor(file: string, { durability = 'full', lockWaitMs = 5000 }: JsonlLogOptions) {
    this.file = file
    this.durability = durability
    this.#lockWaitMs = lockWaitMs
  }

  get notices(): readonly Diagnostic[] {
    const { length } = this.#unfinished
    if (length === 0) return [...this.#setAside]
    return [...this.#setAside, unfinishedNotice(this.#end, length, this.file)]
  }

  async append(
    session: string,
    expected: number,
    given: readonly Entry[],
    after?: ContentHash,
  ): Promise<void> {
    const entries = ownEntries(given)
    await this.#inTurn(() =>
      this.#locked(async () => {
        await this.#look(this.#end)
        const { session: held, version: found } = this.#end
        if (held !== null && held !== session) throw otherSession(this.file, held, session)
        checkAppend({ session, expected, found, entries })
        checkFollows(session, expected, after, () => this.#lastHash)
        if (entries.length > 0) await this.#write(session, entries)
      }),
    )
  }

  read(session: string, from = 0, last = Infinity): Promise<readonly Entry[]> {
    return this.#inTurn(async () => {
      const start = from >= this.#end.version ? this.#end : LOG_BEGINNING
      const { entries, first } = await this.#look(start)
      if (this.#end.session !== session) return []
      return entries.slice(Math.max(0, from - first), Math.max(0, last + 1 - first))
    })
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#inTurn(async () => {
      await this.#look(this.#end)
      const { session, version, openedAt, changedAt } = this.#end
      return session === null || version === 0 ? [] : [{ session, version, openedAt, changedAt }]
    })
  }

  delete(session: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#look(this.#end)
      if (this.#end.session !== session) return
      await this.#locked(async () => {
        await rm(this.file, { force: true })
        await rm(`${this.file}.torn`, { force: true })
      })
      this.#forget()
    })
  }

  /** Read what the file has from a position on; from its beginning when it is another file. */
  async #look(
    from: LogPosition,
  ): Promise<{ readonly entries: readonly Entry[]; readonly first: number }> {
    let start = from
    const read = await readLogFile(this.file, (identity, size) => {
      if (identity !== this.#identity || size < this.#end.offset) {
        this.#forget()
        start = LOG_BEGINNING
      }
      this.#identity = identity
      return start.offset
    })
    if (read === null) {
      this.#forget()
      return { entries: [], first: 0 }
    }
    let scan: LogScan
    try {
      scan = scanLog(read.bytes, start, this.file)
    } catch (error) {
      // A writer whose disk failed may have cut off again what this process has seen.
      if (start === LOG_BEGINNING || !WorkspaceError.is(error)) throw error
      this.#forget()
      return this.#look(LOG_BEGINNING)
    }
    const { entries, definitions, end, unfinished } = scan
    for (const [hash, value] of definitions) {
      this.#written.add(hash)
      if (!this.#definitions.has(hash)) this.#definitions.set(hash, JSON.stringify(value))
    }
    this.#end = end
    this.#noteLast(entries)
    this.#unfinished = read.bytes.subarray(read.bytes.length - unfinished)
    return { entries, first: start.version }
  }

  async #write(session: string, entries: readonly Entry[]): Promise<void> {
    await this.#setUnfinishedAside()
    const before = this.#end
    const fresh = [...this.#definitions].filter(([hash]) => !this.#written.has(hash))
    const lines: readonly LogLine[] = [
      ...(before.session === null ? [headerLine(session)] : []),
      ...fresh.map(([hash, text]) => ({ definition: { hash, value: JSON.parse(text) } })),
      ...entries.map((entry) => ({ entry: storedEntry(entry) })),
    ]
    const { bytes, sum } = encodeLines(lines, before.sum)
    this.#identity = await writeLogFile(this.file, before.offset, bytes, this.durability)
    for (const [hash] of fresh) this.#written.add(hash)
    this.#noteLast(entries)
    this.#end = {
      session,
      sum,
      offset: before.offset + bytes.length,
      lines: before.lines + lines.length,
      version: before.version + entries.length,
      openedAt: before.version === 0 ? (entries[0]?.at ?? 0) : before.openedAt,
      changedAt: entries.at(-1)?.at ?? before.changedAt,
    }
  }

  async #setUnfinishedAside(): Promise<void> {
    const { length } = this.#unfinished
    if (length === 0) return
    await setAside(this.file, this.#end.offset, this.#unfinished)
    this.#unfinished = new Uint8Array()
    this.#setAside.push({
      ...unfinishedNotice(this.#end, length, this.file),
      hint: `A crash cut it short; nobody was told it was done. It is in ${this.file}.torn now.`,
    })
  }

  #noteLast(entries: readonly Entry[]): void {
    const last = entries.at(-1)
    if (last !== undefined) this.#lastHash = entryHash(last)
  }

  #forget(): void {
    this.#end = LOG_BEGINNING
    this.#lastHash = undefined
    this.#identity = null
    this.#unfinished = new Uint8Array()
    this.#written.clear()
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withFileLock(await realName(this.file), this.#lockWaitMs, work)
    } catch (error) {
      if (WorkspaceError.is(error)) throw error
      throw writeFailed(this.file, error)
    }
  }
}

/** The name without links in it, so that all who come by other names meet at one lock. */
async function realName(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    return join(await realpath(dirname(file)), basename(file))
  }
}

function otherSession(file: string, held: string, wanted: string): WorkspaceError {
  return new WorkspaceError(
    'LOG_OTHER_SESSION',
    `${file} holds session "${held}", not "${wanted}".`,
    {
      facts: { file, held, wanted },
      hint: 'Open the session it holds, or name another file: a JSON Lines log holds one session.',
    },
  )
}
