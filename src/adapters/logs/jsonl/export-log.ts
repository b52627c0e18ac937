import type { EventLog } from '../../../workspace/log/ports.ts'
import { exportLines, type ExportOptions } from './export-lines.ts'

/** A session of any log as JSON Lines text: what `exportLines` gives, in one piece. */
export async function exportLog(
  log: EventLog,
  session: string,
  options?: ExportOptions,
): Promise<string> {
  const lines: string[] = []
  for await (const line of exportLines(log, session, options)) lines.push(line)
  return lines.join('')
}
