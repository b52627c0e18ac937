import type { SessionParts } from '../offer/session-parts.ts'
import type { SessionJournal } from '../commands/session-journal.ts'
import { limitedLog } from '../commands/limited-log.ts'
import type { WorkspaceListener } from '../commands/outcome.ts'
import { createOwnLog, isOwnLog } from '../log/memory-log.ts'
import { blankSessionId } from '../log/session-replaced.ts'
import { assembleParts } from './assemble-parts.ts'
import { o200kCounter } from './o200k-counter.ts'
import { readSession } from './read-session.ts'
import { checkWorkspaceOptions } from './check-workspace-options.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/**
 * Reads the log of a session, folds it, and assembles the parts that work on the result. Writes nothing.
 *
 * @param parent the parent of a child session that is opened in the process of its parent
 */
export async function openParts(
  options: WorkspaceOptions,
  notify: WorkspaceListener,
  parent: SessionJournal['parent'] = null,
): Promise<SessionParts> {
  checkWorkspaceOptions(options)
  const { session = crypto.randomUUID() } = options
  const log = limitedLog(options.log ?? createOwnLog())
  if (session.trim() === '') throw blankSessionId()
  const tokenCounter = await (options.tokenCounter ?? o200kCounter())
  const keepResults = !isOwnLog(log) && options.keepResults !== false
  const settled = { ...options, session, log, tokenCounter, keepResults }
  const read = await readSession(settled, parent)
  return assembleParts(settled, read, notify, parent)
}
