import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  checkAppend,
  checkPrune,
  type PruneReport,
  type PruneRequest,
  type SessionPage,
  sessionPage,
  type SessionSummary,
  storedEntry,
} from '../../../entries/adapter.ts'
import {
  type ContentHash,
  type Diagnostic,
  type Entry,
  type EventLog,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf, serialQueue } from '../../../entries/kit.ts'
import { KnownDefinitions } from './known-definitions.ts'
import { lockLog, type LogLock } from './lock-log.ts'
import { LogFile, moveTornTail, writeLogFile } from './log-file.ts'
import { encodeLines, headerLine, LOG_BEGINNING, type LogLine } from './log-line.ts'
import { unfinishedNotice } from './scan-log.ts'
import { copyEntries } from '../copy-entries.ts'
import { DURABILITIES, type Durability } from '../durability.ts'
import { logClosed } from '../log-location.ts'

export interface JsonlLogOptions {
  /** `full` by default. */
  readonly durability?: Durability
}

const OPTIONS: OptionsOf<JsonlLogOptions> = { durability: DURABILITIES }

/** An event log in a file of JSON Lines. */
export interface JsonlLog extends EventLog {
  readonly file: string
  readonly durability: Durability
  /**
   * Incomplete appends: the one found at the end of the file, and those that were moved to another
   * file.
   */
  readonly notices: readonly Diagnostic[]
  /**
   * Lets another log write to the file, once all earlier operations are done. Using this log
   * afterwards throws `LOG_CLOSED`.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a log of one session in one file, which has one writer at a time and any number of readers.
 *
 * The file is not touched before the first use, and the first append creates it. Reading takes no
 * lock and writes nothing, so it sees what another process writes. The first append takes
 * `<file>.lock`, or throws `LOG_LOCKED`; `close` or the end of the process releases it. A definition
 * is written by the next append, so that no entry names one the file lacks; without an append it is
 * not stored. An incomplete append at the end is moved to `<file>.torn` by the next append.
 */
export function openJsonlLog(file: string, options: JsonlLogOptions = {}): JsonlLog {
  checkOptions(options, OPTIONS)
  return new FileLog(resolve(checkedText(file, 'file')), options)
}

class FileLog implements JsonlLog {
  readonly file: string
  readonly durability: Durability
  readonly #known = new KnownDefinitions()
  readonly #logFile: LogFile
  readonly #moved: Diagnostic[] = []
  /** The file has one operation at a time. */
  readonly #queue = serialQueue()
  #lock: LogLock | undefined
  #isClosed = false

  readonly definitions: EventLog['definitions'] = {
    has: (hash) => this.#inTurn(() => this.#isKnown(hash)),
    put: async (hash, definition) => this.#known.put(hash, definition),
    get: (hashes) =>
      this.#inTurn(async () => {
        await this.#isKnown(...hashes)
        return this.#known.all(hashes)
      }),
  }

  constructor(file: string, { durability = 'full' }: JsonlLogOptions) {
    this.file = file
    this.durability = durability
    this.#logFile = new LogFile(file, this.#known)
  }

  /** Returns true when all these definitions are known, once the file was read as far as it takes. */
  async #isKnown(...hashes: readonly ContentHash[]): Promise<boolean> {
    const all = () => hashes.every((hash) => this.#known.has(hash))
    if (!all()) await this.#logFile.refresh(this.#logFile.end)
    return all()
  }

  get notices(): readonly Diagnostic[] {
    const { end, unfinished } = this.#logFile
    if (unfinished.length === 0) return [...this.#moved]
    return [...this.#moved, unfinishedNotice(end, unfinished.length, this.file)]
  }

  async append(
    session: string,
    expected: number,
    given: readonly Entry[],
    after?: ContentHash,
  ): Promise<void> {
    const entries = copyEntries(given)
    await this.#inTurn(async () => {
      const { real } = await this.#lockAndRefresh()
      const { session: stored, version: found } = this.#logFile.end
      if (stored !== null && stored !== session) throw otherSession(this.file, stored, session)
      const lastHash = () => this.#logFile.lastHash
      checkAppend({ session, expected, found, entries, after, lastHash })
      if (entries.length === 0) return
      await this.#moveUnfinished(real)
      await this.#write(session, entries)
    })
  }

  read(session: string, from = 0, last = Infinity): Promise<readonly Entry[]> {
    return this.#inTurn(async () => {
      const { end } = this.#logFile
      const { entries, first } = await this.#logFile.refresh(
        from >= end.version ? end : LOG_BEGINNING,
      )
      if (this.#logFile.end.session !== session) return []
      return entries.slice(Math.max(0, from - first), Math.max(0, last + 1 - first))
    })
  }

  list(page?: SessionPage): Promise<readonly SessionSummary[]> {
    return this.#inTurn(async () => {
      await this.#logFile.refresh(this.#logFile.end)
      const { session, version, openedAt, changedAt } = this.#logFile.end
      const all =
        session === null || version === 0 ? [] : [{ session, version, openedAt, changedAt }]
      return sessionPage(all, page)
    })
  }

  /** Deletes the session if it is old. The definitions of a file belong to its session. */
  async prune(request: PruneRequest = {}): Promise<PruneReport> {
    checkPrune(request)
    const { changedBefore = -Infinity, dryRun = false } = request
    const old = (await this.list()).filter(({ changedAt }) => changedAt < changedBefore)
    const sessions = old.map(({ session }) => session)
    if (!dryRun) for (const session of sessions) await this.delete(session)
    return { sessions, definitions: 0, bytes: 0 }
  }

  delete(session: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#logFile.refresh(this.#logFile.end)
      if (this.#logFile.end.session === null) return
      const { real } = await this.#lockAndRefresh()
      if (this.#logFile.end.session !== session) return
      // In this order a deletion that a crash cuts short can be made again: the session is still listed.
      await rm(`${real}.torn`, { force: true })
      await rm(real, { force: true })
      this.#logFile.forget()
    })
  }

  close(): Promise<void> {
    return this.#queue(async () => {
      this.#isClosed = true
      await this.#lock?.release()
      this.#lock = undefined
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue(() => {
      if (this.#isClosed) throw logClosed({ file: this.file })
      return work()
    })
  }

  /** Takes the lock of the file, the first time, and reads what is new in the file. */
  async #lockAndRefresh(): Promise<LogLock> {
    this.#lock ??= await lockLog(this.file)
    await this.#logFile.refresh(this.#logFile.end)
    return this.#lock
  }

  async #write(session: string, entries: readonly Entry[]): Promise<void> {
    const before = this.#logFile.end
    const fresh = this.#known.missing()
    const lines: readonly LogLine[] = [
      ...(before.session === null ? [headerLine(session)] : []),
      ...fresh.map(([hash, text]) => ({ definition: { hash, value: JSON.parse(text) } })),
      ...entries.map((entry) => ({ entry: storedEntry(entry) })),
    ]
    const { bytes, sum } = encodeLines(lines, before.sum)
    const identity = await writeLogFile(this.file, before.offset, bytes, this.durability)
    this.#known.noteWritten(fresh)
    const end = {
      session,
      sum,
      offset: before.offset + bytes.length,
      lines: before.lines + lines.length,
      version: before.version + entries.length,
      openedAt: before.version === 0 ? (entries[0]?.at ?? 0) : before.openedAt,
      changedAt: entries.at(-1)?.at ?? before.changedAt,
    }
    this.#logFile.noteAppend(entries, end, identity)
  }

  async #moveUnfinished(real: string): Promise<void> {
    const { end, unfinished } = this.#logFile
    if (unfinished.length === 0) return
    await moveTornTail(real, end.offset, unfinished)
    this.#logFile.noteUnfinishedMoved()
    this.#moved.push({
      ...unfinishedNotice(end, unfinished.length, this.file),
      hint: `A crash interrupted it; it was never acknowledged. It is in ${real}.torn now.`,
    })
  }
}

function otherSession(file: string, stored: string, wanted: string): WorkspaceError {
  return new WorkspaceError(
    'LOG_OTHER_SESSION',
    `${file} has session "${stored}", not "${wanted}".`,
    {
      facts: { file, held: stored, wanted },
      hint: 'Open that session, or give another file: a JSON Lines log has one session.',
    },
  )
}
