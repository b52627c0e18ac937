import { constants, createReadStream } from 'node:fs'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createMemoryLog, type EventLog } from '../../../entries/index.ts'
import { isObject, tryOrUndefined } from '../../../entries/kit.ts'
import type { ObservedSession } from '../observation.ts'
import { recordSession } from '../record-session.ts'
import type { RecordedChild } from '../recorder/recorded-child.ts'
import { isClaudeCodeLine, readClaudeCode } from './read-claude-code.ts'
import { isCodexLine, readCodex } from './read-codex.ts'
import { readHar } from './read-har.ts'
import { messagesIn, readMessages } from './read-messages.ts'
import { isOpenCodeLine, openCodeRows, readOpenCode } from './read-open-code.ts'
import { isPiLine, readPi } from './read-pi.ts'
import { withoutCopies } from './request-log.ts'

type Line = Readonly<Record<string, unknown>>

/** A reader of transcripts in JSON Lines, with the sign by which a line is recognised. */
interface LineReader {
  readonly isLine: (line: Line) => boolean
  readonly read: (lines: readonly Line[]) => readonly ObservedSession[]
}

const CLAUDE_CODE: LineReader = { isLine: isClaudeCodeLine, read: readClaudeCode }

const READERS: readonly LineReader[] = [
  CLAUDE_CODE,
  { isLine: isCodexLine, read: readCodex },
  { isLine: isPiLine, read: readPi },
  { isLine: isOpenCodeLine, read: readOpenCode },
]

/** The number of lines in which a transcript is recognised: it may begin with a summary of another one. */
const MAX_UNKNOWN_LINES = 100

/**
 * Reads the transcript of another agent into a log in memory, whose sessions are what was seen of it. Returns null for a
 * file that is no transcript, or cannot be read.
 *
 * @param file a file in JSON Lines, or in JSON
 */
export async function readTranscript(file: string): Promise<EventLog | null> {
  if (!(await isReadableFile(file))) return null
  const lines: Line[] = []
  let reader: (typeof READERS)[number] | undefined
  for await (const line of objectsIn(file)) {
    reader ??= READERS.find(({ isLine }) => isLine(line))
    lines.push(reader === CLAUDE_CODE ? withoutCopies(line) : line)
    if (reader === undefined && 'loadout' in line) return null
    if (reader === undefined && lines.length > MAX_UNKNOWN_LINES) break
  }
  if (reader === undefined) return readJsonTranscript(file)
  for (const part of await subagentFiles(file)) {
    const agentId = /agent-(.*)\.jsonl$/.exec(part)?.[1]
    for await (const line of objectsIn(part))
      lines.push({ agentId, ...withoutCopies(line), isSidechain: true })
  }
  return logOfSessions(reader.read(lines))
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
  const said = await readFile(file, 'utf8')
  // Trimming also removes a byte order mark.
  const value: unknown = tryOrUndefined(() => JSON.parse(said.trim()))
  const messages = messagesIn(value)
  if (messages) return logOfSessions([readMessages(messages, value)])
  const sessions = readHar(value)
  return sessions.length > 0 ? logOfSessions(sessions) : null
}

/** Reads the database of an agent as `readTranscript` does a file. Returns null for another database. */
export async function readTranscriptDatabase(database: DatabaseSync): Promise<EventLog | null> {
  const rows = openCodeRows(database)
  return rows && logOfSessions(readOpenCode(rows))
}

/** Returns a log in memory with observed sessions. Nobody writes to it, so it cannot be followed. */
async function logOfSessions(sessions: readonly ObservedSession[]): Promise<EventLog> {
  const { follow: _, ...log } = createMemoryLog()
  const ids = new Set<string>()
  const left = new Map<ObservedSession, string>()
  for (const observed of sessions) {
    let session = observed.session.trim() === '' ? 'unknown' : observed.session
    while (ids.has(session)) session = `${session}-2`
    ids.add(session)
    left.set(observed, session)
  }
  // A session whose parent is not in the file, or is its own child, is no child here.
  const write = async (one: ObservedSession, above: string | null): Promise<RecordedChild> => {
    const { parent, ...observed } = one
    const session = left.get(one) ?? one.session
    left.delete(one)
    const children: RecordedChild[] = []
    for (const below of sessions) {
      const isChild = below.parent?.session === one.session && left.has(below)
      if (isChild) children.push(await write(below, session))
    }
    const link = parent && above !== null && { parent: { ...parent, session: above } }
    return recordSession({ ...observed, session, ...link }, log, children)
  }
  const isBelow = ({ parent }: ObservedSession) => parent !== undefined
  for (const observed of sessions.toSorted((a, b) => Number(isBelow(a)) - Number(isBelow(b)))) {
    if (left.has(observed)) await write(observed, null)
  }
  return log
}

/**
 * Yields the objects of a file in JSON Lines. Leaves out lines that are something else, such as the last one of a file
 * that is being written. Only a line feed ends a line: texts may contain other separators.
 */
async function* objectsIn(file: string): AsyncGenerator<Line> {
  let rest = ''
  const objectIn = (text: string): Line | null => {
    // Trimming also removes a byte order mark.
    const line: unknown = tryOrUndefined(() => JSON.parse(text.trim()))
    return isObject(line) ? line : null
  }
  for await (const chunk of createReadStream(file, 'utf8')) {
    const [first = '', ...others] = String(chunk).split('\n')
    for (const text of others.length === 0 ? [] : [rest + first, ...others.slice(0, -1)]) {
      const line = objectIn(text)
      if (line) yield line
    }
    rest = others.at(-1) ?? rest + first
  }
  const last = objectIn(rest)
  if (last) yield last
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
