import { redactDraft, referencedDefinitions } from '../../../entries/adapter.ts'
import { entryHash, storedEntry } from '../../../entries/log.ts'
import {
  type ContentHash,
  createRedactor,
  type Entry,
  type EventLog,
  type RedactionRules,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import { encodeLines, FIRST_SUM, headerLine, type LogLine } from './log-line.ts'
import { REDACTION_RULES } from '../../../kernel/redaction-rules.ts'

export interface ExportOptions {
  /**
   * Values to redact in the export, in addition to those redacted when the log was written; none by
   * default.
   */
  readonly redact?: RedactionRules
  /** The number of the last entry to export, from 0; all entries by default. */
  readonly at?: number
}

const OPTIONS: OptionsOf<ExportOptions> = { redact: REDACTION_RULES, at: 'number' }

/** Number of entries that are read and kept in memory at a time. */
const CHUNK = 1_000

/**
 * Exports a session of any log as lines of JSON, each with its newline.
 *
 * Definitions precede the entries that name them. The same session always gives the same lines, and
 * any first part of them is a log, too. Throws `LOG_EMPTY` for an unknown session and
 * `SESSION_REPLACED` for one that is deleted during the export.
 */
export async function* exportLines(
  log: EventLog,
  session: string,
  options: ExportOptions = {},
): AsyncGenerator<string> {
  checkOptions(options, OPTIONS)
  const { redact, at = Number.MAX_SAFE_INTEGER } = options
  const redactor = redact === undefined ? undefined : createRedactor(redact)
  const seen = new Set<ContentHash>()
  let sum = FIRST_SUM
  const written = (line: LogLine): string => {
    const { bytes, sum: next } = encodeLines([line], sum)
    sum = next
    return Buffer.from(bytes).toString('utf8')
  }
  for (let last: Entry | undefined; ;) {
    const entries = await readAfter(log, session, last, at)
    if (last === undefined && entries.length === 0) {
      throw new WorkspaceError('LOG_EMPTY', `The log has no session "${session}".`, {
        facts: { session },
        hint: 'List the sessions of the log to see their names.',
      })
    }
    if (last === undefined) yield written(headerLine(session))
    for await (const [hash, definition] of referencedDefinitions(log, entries, seen)) {
      const value = redactor?.texts(definition) ?? definition
      yield written({ definition: { hash, value } })
    }
    for (const entry of entries) {
      const shown = redactor === undefined ? entry : redactDraft(entry, redactor)
      yield written({ entry: storedEntry(shown) })
    }
    if (entries.length < CHUNK) return
    last = entries.at(-1)
  }
}

/** Reads the next entries after `last`, which the session must still have, up to entry `at`; from the beginning without one. */
async function readAfter(
  log: EventLog,
  session: string,
  last: Entry | undefined,
  at: number,
): Promise<readonly Entry[]> {
  if (last === undefined) return log.read(session, 0, Math.min(CHUNK - 1, at))
  const { seq } = last
  const [found, ...entries] = await log.read(session, seq, Math.min(seq + CHUNK, at))
  if (found !== undefined && entryHash(found) === entryHash(last)) return entries
  throw new WorkspaceError('SESSION_REPLACED', `Session "${session}" changed during the export.`, {
    facts: { session, seq },
    hint: 'It was deleted, cut or replaced meanwhile: export it again.',
  })
}

/** Exports a session of any log as one text: the lines of `exportLines` joined. */
export async function exportLog(
  log: EventLog,
  session: string,
  options?: ExportOptions,
): Promise<string> {
  const lines: string[] = []
  for await (const line of exportLines(log, session, options)) lines.push(line)
  return lines.join('')
}
