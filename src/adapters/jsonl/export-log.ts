import type { ContentHash } from '../../kernel/content-hash.ts'
import { hashesIn } from '../../kernel/hashes-in.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { EventLog } from '../../session/ports.ts'
import { storedEntry } from '../../session/stored/stored-entry.ts'
import { encodeLines, FIRST_SUM, headerLine, type LogLine } from './log-line.ts'

/**
 * A session of any log as JSON Lines text, with the definitions its entries name and those
 * these name in turn. The same session gives the same text. Throws `LOG_EMPTY` for a session
 * the log does not know.
 */
export async function exportLog(log: EventLog, session: string): Promise<string> {
  const entries = await log.read(session)
  if (entries.length === 0) {
    throw new WorkspaceError('LOG_EMPTY', `The log holds no session "${session}".`, {
      facts: { session },
      hint: 'List its sessions for their names.',
    })
  }
  const definitions: LogLine[] = []
  const seen = new Set<ContentHash>()
  const waiting = [...hashesIn(entries)]
  for (const hash of waiting) {
    if (seen.has(hash)) continue
    seen.add(hash)
    const value = await log.definitions.get(hash)
    if (value === undefined) continue
    definitions.push({ definition: { hash, value } })
    waiting.push(...hashesIn(value))
  }
  const lines = [
    headerLine(session),
    ...definitions,
    ...entries.map((entry) => ({ entry: storedEntry(entry) })),
  ]
  let sum = FIRST_SUM
  // Each line is an append of its own, so that a part of an export is a log as well.
  const chunks = lines.map((line) => {
    const encoded = encodeLines([line], sum)
    sum = encoded.sum
    return encoded.bytes
  })
  return Buffer.concat(chunks).toString('utf8')
}
