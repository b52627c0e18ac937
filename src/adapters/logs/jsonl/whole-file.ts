import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { readLogFile } from './log-file.ts'
import { type WholePart, wholePart } from './whole-part.ts'

/** What of a log file is what was written. Throws `LOG_EMPTY` when there is no file. */
export async function wholeFile(file: string): Promise<WholePart> {
  const read = await readLogFile(file, () => 0)
  if (read !== null) return wholePart(read.bytes, file)
  throw new WorkspaceError('LOG_EMPTY', `There is no log at ${file}.`, {
    facts: { file },
    hint: 'Check the name of the file.',
  })
}
