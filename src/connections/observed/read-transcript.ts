import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createMemoryLog, type EventLog } from '../../entries/index.ts'
import { isObject, tryOrUndefined } from '../../entries/kit.ts'
import type { ObservedSession } from './observation.ts'
import { recordSession } from './record-session.ts'
import { isClaudeCodeLine, readClaudeCode } from './transcripts/claude-code.ts'

type Line = Readonly<Record<string, unknown>>

/** Readers of transcripts in JSON Lines, with the sign by which a line of each is recognised. */
const READERS: readonly {
  readonly isLine: (line: Line) => boolean
  readonly read: (lines: readonly Line[]) => readonly ObservedSession[]
}[] = [{ isLine: isClaudeCodeLine, read: readClaudeCode }]

/**
 * Reads the transcript of another agent into a log in memory, whose sessions are what was seen of it. Returns null for a
 * file that is no transcript.
 *
 * @param file a file in JSON Lines
 */
export async function readTranscript(file: string): Promise<EventLog | null> {
  const lines: Line[] = []
  let reader: (typeof READERS)[number] | undefined
  const input = createReadStream(file, 'utf8')
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    const line: unknown = tryOrUndefined(() => JSON.parse(text))
    if (!isObject(line)) continue
    reader ??= READERS.find(({ isLine }) => isLine(line))
    if (reader === undefined) {
      input.destroy()
      return null
    }
    lines.push(line)
  }
  if (reader === undefined) return null
  const { follow: _, ...log } = createMemoryLog()
  for (const session of reader.read(lines)) await recordSession(session, log)
  return log
}
