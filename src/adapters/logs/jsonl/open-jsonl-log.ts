import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { KnownDefinitions } from './known-definitions.ts'
import { LogFile, moveTornTail, writeLogFile } from './log-file.ts'
import { encodeLines, headerLine, LOG_BEGINNING, type LogLine } from './log-line.ts'
import { unfinishedNotice } from './scan-log.ts'
import { withLogLock } from './with-log-lock.ts'
import type { Entry } from '../../../engine/model/workspace-event.ts'
import type { ContentHash } from '../../../kernel/content-hash.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { serialQueue } from '../../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import {
  checkAppend,
  checkFollows,
  copyEntries,
  type Durability,
  type EventLog,
  type SessionSummary,
} from '../../../workspace/log/event-log.ts'
import { storedEntry } from '../../../workspace/log/stored-entry.ts'

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
  readonly #known = new KnownDefinitions()
  readonly #seen: LogFile
  readonly #setAside: Diagnostic[] = []
  /** What is done on the file is done one after another. */
  readonly #inTurn = serialQueue()

  readonly definitions: EventLog['definitions'] = {
    put: async (hash, definition) => this.#known.put(hash, definition),
    get: (hash) =>
      this.#inTurn(async () => {
        if (!this.#known.has(hash)) await this.#seen.look(this.#seen.end)
        return this.#known.get(hash)
      }),
  }

  constructor(file: string, { durability = 'full', lockWaitMs = 5000 }: JsonlLogOptions) {
    this.file = file
    this.durability = durability
    this.#lockWaitMs = lockWaitMs
    this.#seen = new LogFile(file, this.#known)
  }

  get notices(): readonly Diagnostic[] {
    const { end, unfinished } = this.#seen
    if (unfinished.length === 0) return [...this.#setAside]
    return [...this.#setAside, unfinishedNotice(end, unfinished.length, this.file)]
  }

  async append(
    session: string,
    expected: number,
    given: readonly Entry[],
    after?: ContentHash,
  ): Promise<void> {
    const entries = copyEntries(given)
    await this.#inTurn(() =>
      this.#locked(async (real) => {
        await this.#seen.look(this.#seen.end)
        const { session: held, version: found } = this.#seen.end
        if (held !== null && held !== session) throw otherSession(this.file, held, session)
        checkAppend({ session, expected, found, entries })
        checkFollows(session, expected, after, () => this.#seen.lastHash)
        if (entries.length === 0) return
        await this.#setUnfinishedAside(real)
        await this.#write(session, entries)
      }),
    )
  }

  read(session: string, from = 0, last = Infinity): Promise<readonly Entry[]> {
    return this.#inTurn(async () => {
      const { end } = this.#seen
      const { entries, first } = await this.#seen.look(from >= end.version ? end : LOG_BEGINNING)
      if (this.#seen.end.session !== session) return []
      return entries.slice(Math.max(0, from - first), Math.max(0, last + 1 - first))
    })
  }

  list(): Promise<readonly SessionSummary[]> {
    return this.#inTurn(async () => {
      await this.#seen.look(this.#seen.end)
      const { session, version, openedAt, changedAt } = this.#seen.end
      return session === null || version === 0 ? [] : [{ session, version, openedAt, changedAt }]
    })
  }

  delete(session: string): Promise<void> {
    return this.#inTurn(async () => {
      if (!(await this.#holds(session))) return
      await this.#locked(async (real) => {
        // Nothing kept another process from putting another session there.
        if (!(await this.#holds(session))) return
        await rm(real, { force: true })
        await rm(`${real}.torn`, { force: true })
        this.#seen.forget()
      })
    })
  }

  async #holds(session: string): Promise<boolean> {
    await this.#seen.look(this.#seen.end)
    return this.#seen.end.session === session
  }

  async #write(session: string, entries: readonly Entry[]): Promise<void> {
    const before = this.#seen.end
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
    this.#seen.noteAppend({ entries, end, identity })
  }

  async #setUnfinishedAside(real: string): Promise<void> {
    const { end, unfinished } = this.#seen
    if (unfinished.length === 0) return
    await moveTornTail(real, end.offset, unfinished)
    this.#seen.noteSetAside()
    this.#setAside.push({
      ...unfinishedNotice(end, unfinished.length, this.file),
      hint: `A crash cut it short; nobody was told it was done. It is in ${real}.torn now.`,
    })
  }

  #locked(work: (real: string) => Promise<void>): Promise<void> {
    return withLogLock(this.file, this.#lockWaitMs, work)
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
