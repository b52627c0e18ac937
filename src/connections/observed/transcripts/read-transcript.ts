import { constants, createReadStream, unwatchFile, watchFile } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { EventLog } from '../../../entries/index.ts'
import { isObject, serialQueue } from '../../../entries/kit.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import type { ObservedSession } from '../observation.ts'
import { createObservedLog } from '../recorder/observed-log.ts'
import { recordSession } from '../recorder/record-session.ts'
import { refuseLarge } from '../refuse-large.ts'
import type { RecordedChild } from '../recorder/recorded-child.ts'
import { isClaudeCodeLine, readClaudeCode } from './read-claude-code.ts'
import { historyBase } from './codex-conversation.ts'
import { codexSubagents, otherRollouts } from './find-transcripts.ts'
import { isCodexLine, readCodex } from './read-codex.ts'
import { isRecordedLine, readHar, recordingReader } from './read-har.ts'
import { messagesIn, readMessages } from './read-messages.ts'
import { isOpenCodeLine, openCodeRows, readOpenCode } from './read-open-code.ts'
import { isGeminiCliLine, readGeminiCli } from './read-gemini-cli.ts'
import { isPiLine, readPi } from './read-pi.ts'
import { isQwenCodeLine, readQwenCode } from './read-qwen-code.ts'
import { withoutCopies } from './request-log.ts'
import { jsonIn } from '../content/text-in-content.ts'
import { tracedRequests } from './traced-requests.ts'

type Line = Readonly<Record<string, unknown>>

/** A reader of transcripts in JSON Lines, with the sign by which a line is recognised. */
interface LineReader {
  readonly isLine: (line: Line) => boolean
  /** Returns a function that reads all lines of one file, again each time that it has more. */
  readonly open: () => (
    lines: readonly Line[],
    subagents: readonly (readonly Line[])[],
  ) => readonly ObservedSession[]
}

const CODEX: LineReader = { isLine: isCodexLine, open: () => readCodex }

const CLAUDE_CODE: LineReader = { isLine: isClaudeCodeLine, open: () => readClaudeCode }

const READERS: readonly LineReader[] = [
  // Its lines have the members of Claude Code, too.
  { isLine: isQwenCodeLine, open: () => readQwenCode },
  CLAUDE_CODE,
  CODEX,
  { isLine: isPiLine, open: () => readPi },
  { isLine: isGeminiCliLine, open: () => readGeminiCli },
  { isLine: isOpenCodeLine, open: () => readOpenCode },
  { isLine: isRecordedLine, open: recordingReader },
]

/** The number of lines in which a transcript is recognised: it may begin with a summary of another one. */
const MAX_UNKNOWN_LINES = 100

/**
 * Reads the transcript of another agent into a log in memory, whose sessions are what was seen of it. One in JSON Lines is
 * followed: lines that are added are read as well. Returns null for a file that is no transcript, or cannot be read. Throws
 * `LOG_UNREADABLE` for one that is too large.
 *
 * @param file a file in JSON Lines, or in JSON
 */
export async function readTranscript(file: string): Promise<EventLog | null> {
  if (!(await isReadableFile(file))) return null
  const lines = await TranscriptLines.open(file)
  if (lines === 'json') return readJsonTranscript(file)
  return lines && growingLog(file, await logOfSessions(await lines.sessions()), lines)
}

/** The lines of a transcript, each of which is read once. */
class TranscriptLines {
  readonly #file: string
  readonly #budget = new Budget('transcript')
  readonly #lines: Line[] = []
  readonly #place: ReadPlace = { end: 0, last: Buffer.alloc(0) }
  #reader: LineReader = CLAUDE_CODE
  #read = this.#reader.open()

  private constructor(file: string) {
    this.#file = file
  }

  /** Returns null for a file that is no transcript, and `json` for one that is no JSON Lines. */
  static async open(file: string): Promise<TranscriptLines | 'json' | null> {
    const own = new TranscriptLines(file)
    let reader: LineReader | undefined
    for await (const line of objectsIn(file, own.#budget, own.#place)) {
      reader ??= READERS.find(({ isLine }) => isLine(line))
      own.#reader = reader ?? CLAUDE_CODE
      own.#add(line)
      if (reader !== undefined) continue
      if ('resourceSpans' in line) break
      if ('loadout' in line || own.#lines.length > MAX_UNKNOWN_LINES) return null
    }
    if (reader === undefined) return 'json'
    own.#read = reader.open()
    return own
  }

  /** Reads the lines that were added since; returns false for a file that was written again from its beginning. */
  async readOn(): Promise<boolean> {
    if (!(await isSameBefore(this.#file, this.#place))) return false
    for await (const line of objectsIn(this.#file, this.#budget, this.#place)) this.#add(line)
    return true
  }

  /** Reads the sessions that the lines and those of other files have. */
  async sessions(): Promise<readonly ObservedSession[]> {
    // They are read each time.
    const budget = new Budget('transcript')
    const all = await withOtherFiles(this.#file, this.#lines, budget)
    const subagents: Line[][] = []
    for (const one of this.#reader === CODEX ? await codexSubagents(this.#file, all) : []) {
      const part: Line[] = []
      for await (const line of objectsIn(one, budget)) part.push(line)
      subagents.push(part)
    }
    return this.#read(all, subagents)
  }

  #add(line: Line): void {
    this.#lines.push(this.#reader === CLAUDE_CODE ? withoutCopies(line) : line)
  }
}

/** Milliseconds between looks at a file that is followed. */
const FOLLOW_MS = 100

/** Returns a log of a transcript that is read on while somebody follows it. */
function growingLog(file: string, first: EventLog, known: TranscriptLines): EventLog {
  let lines = known
  let current = first
  const listeners = new Set<() => void>()
  const inOrder = serialQueue()
  const readOn = async () => {
    if (!(await lines.readOn())) {
      const again = await TranscriptLines.open(file)
      // It is being written.
      if (again === null || again === 'json') return
      lines = again
    }
    current = await logOfSessions(await lines.sessions(), first)
  }
  const onChange = () =>
    void inOrder(async () => {
      // The next reader has the error.
      await readOn().catch((error: unknown) => {
        current = { ...current, read: () => Promise.reject(error as Error) }
      })
      for (const listener of listeners) listener()
    })
  return {
    ...first,
    read: (...range) => current.read(...range),
    list: (page) => current.list(page),
    async follow(_, listener) {
      if (listeners.size === 0) watchFile(file, { interval: FOLLOW_MS }, onChange)
      listeners.add(listener)
      onChange()
      return async () => {
        listeners.delete(listener)
        if (listeners.size === 0) unwatchFile(file, onChange)
      }
    },
  }
}

/** Adds to the lines of a transcript those of its subagents, and those that its session began with, in other files. */
export async function withOtherFiles(
  file: string,
  lines: readonly Line[],
  budget: Budget = new Budget('transcript'),
): Promise<readonly Line[]> {
  const all = [...(await linesBefore(file, lines, budget)), ...lines]
  for (const part of await subagentFiles(file)) {
    const agentId = basename(part, '.jsonl').slice('agent-'.length)
    for await (const line of objectsIn(part, budget))
      all.push({ agentId, ...withoutCopies(line), isSidechain: true })
  }
  return all
}

/** Returns false for a file that cannot be opened, and for a pipe or a device, without waiting for it. */
async function isReadableFile(file: string): Promise<boolean> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
  if (handle === null) return false
  try {
    return (await handle.stat()).isFile()
  } finally {
    await handle.close()
  }
}

/** Reads a transcript that is one JSON value. */
async function readJsonTranscript(file: string): Promise<EventLog | null> {
  refuseLarge(new Budget('transcript'), (await stat(file)).size, file)
  const said = await readFile(file, 'utf8')
  // Trimming also removes a byte order mark.
  const value = jsonIn(said.trim())
  const messages = messagesIn(value)
  if (messages) return logOfSessions([readMessages(messages, value)])
  const traced = tracedRequests(
    value === undefined ? said.split('\n').map((line) => jsonIn(line.trim())) : [value],
  )
  const sessions = readHar(traced ?? value)
  return sessions.length > 0 ? logOfSessions(sessions) : null
}

/** Reads the database of an agent as `readTranscript` does a file. Returns null for another database. */
export async function readTranscriptDatabase(
  database: DatabaseSync,
  file: string,
): Promise<EventLog | null> {
  const budget = new Budget('transcript')
  const rows = openCodeRows(database, (bytes) => refuseLarge(budget, bytes, file))
  return rows && logOfSessions(readOpenCode(rows))
}

/** Returns a log in memory with observed sessions. */
async function logOfSessions(
  sessions: readonly ObservedSession[],
  before?: EventLog,
): Promise<EventLog> {
  const log = createObservedLog(before)
  const ids = new Set<string>()
  const left = new Map<ObservedSession, string>()
  for (const observed of sessions) {
    let session = observed.session.trim() === '' ? 'unknown' : observed.session
    while (ids.has(session)) session = `${session}-2`
    ids.add(session)
    left.set(observed, session)
  }
  const findAbove = ({ parent, forkedFrom }: ObservedSession) => (forkedFrom ?? parent)?.session
  const below = Map.groupBy(sessions, findAbove)
  const isBelow = (one: ObservedSession) => findAbove(one) !== undefined
  // A session whose parent is not in the file, or is its own child, is no child here.
  for (const root of sessions.toSorted((a, b) => Number(isBelow(a)) - Number(isBelow(b)))) {
    const name = left.get(root)
    if (name === undefined) continue
    left.delete(root)
    const family = [{ one: root, session: name, above: null as string | null }]
    for (const { one, session: above } of family) {
      for (const child of below.get(one.session) ?? []) {
        const session = left.get(child)
        if (left.delete(child) && session !== undefined) family.push({ one: child, session, above })
      }
    }
    // Children are written before their parents, which count them, and forks with their origins.
    const children = new Map<string | null, RecordedChild[]>()
    const forks = new Map<string, ObservedSession[]>()
    const related = {
      children: (session: string) => children.get(session)?.toReversed() ?? [],
      forks: (session: string) => forks.get(session)?.toReversed() ?? [],
    }
    for (const { one, session, above } of family.toReversed()) {
      const { parent, forkedFrom, ...observed } = one
      if (forkedFrom && above !== null) {
        const fork = { ...observed, session, forkedFrom: { ...forkedFrom, session: above } }
        forks.set(above, [...(forks.get(above) ?? []), fork])
        continue
      }
      const link = parent && above !== null && { parent: { ...parent, session: above } }
      const written = await recordSession({ ...observed, session, ...link }, log, related)
      children.set(above, [...(children.get(above) ?? []), written])
    }
  }
  return log
}

/** The place up to which a file was read: the number of bytes, and the last of them. */
interface ReadPlace {
  end: number
  last: Buffer
}

/** Bytes by which a file is recognised that was only added to. */
const MOST_LAST = 256

/** Returns false when a file does not have the bytes any more before the place up to which it was read. */
async function isSameBefore(file: string, { end, last }: ReadPlace): Promise<boolean> {
  const handle = await open(file)
  try {
    const now = Buffer.alloc(last.length)
    const { bytesRead } = await handle.read(now, 0, now.length, end - now.length)
    return bytesRead === now.length && now.equals(last)
  } finally {
    await handle.close()
  }
}

/**
 * Yields the objects of a file in JSON Lines. Leaves out lines that are something else, such as the last one of a file
 * that is being written. Only a line feed ends a line: texts may contain other separators.
 *
 * @param place is moved behind each line. A last one without an end counts when it is an object
 */
async function* objectsIn(
  file: string,
  budget: Budget,
  place: ReadPlace = { end: 0, last: Buffer.alloc(0) },
): AsyncGenerator<Line> {
  let parts: Buffer[] = []
  const take = (bytes: Buffer, ending: string): Line | null => {
    // Trimming also removes a byte order mark.
    const line = jsonIn(bytes.toString().trim())
    if (isObject(line) || ending !== '') {
      place.end += bytes.length + ending.length
      place.last = Buffer.concat([bytes.subarray(-MOST_LAST), Buffer.from(ending)])
    }
    return isObject(line) ? line : null
  }
  for await (const chunk of createReadStream(file, { start: place.end })) {
    const bytes = chunk as Buffer
    refuseLarge(budget, bytes.length, file)
    let start = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      const line = take(Buffer.concat([...parts, bytes.subarray(start, at)]), '\n')
      parts = []
      start = at + 1
      if (line) yield line
    }
    parts.push(bytes.subarray(start))
  }
  const last = take(Buffer.concat(parts), '')
  if (last) yield last
}

/**
 * Returns the lines of the files before one of Codex: after going back, the client continues a session in another file,
 * which names the one before it by the end of its name. Each file is read once, also when they continue one another.
 */
async function linesBefore(
  file: string,
  lines: readonly Line[],
  budget: Budget,
): Promise<readonly Line[]> {
  let base = baseIn(lines)
  if (base.id === '') return []
  const left = await otherRollouts(file)
  const parts: (readonly Line[])[] = []
  while (base.id !== '') {
    const { id } = base
    const name = left
      .keys()
      .find((one) => one.endsWith(`-${id}.jsonl`) || one.endsWith(`_${id}.jsonl`))
    const before = left.get(name ?? '')
    if (name === undefined || before === undefined) break
    left.delete(name)
    const found: Line[] = []
    for await (const line of objectsIn(before, budget)) found.push(line)
    parts.push(found)
    base = baseIn(found)
  }
  return parts.toReversed().flat()
}

function baseIn(lines: readonly Line[]): ReturnType<typeof historyBase> {
  return historyBase(lines.find(({ type }) => type === 'session_meta')?.['payload'])
}

/** Returns the files that Claude Code writes for the subagents of a session, in a folder next to its transcript. */
async function subagentFiles(file: string): Promise<readonly string[]> {
  const folder = join(file.replace(/\.jsonl$/i, ''), 'subagents')
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && /^agent-.*\.jsonl$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .toSorted()
}
