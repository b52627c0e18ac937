import { randomUUID } from 'node:crypto'
import { limitedLog } from '../commands/limited-log.ts'
import type { WorkspaceListener } from '../commands/outcome.ts'
import type { AnyLog } from '../log/event-log.ts'
import { type MaybeAsync, waitFor } from '../log/maybe-async.ts'
import { createOwnLog, isOwnLog } from '../log/memory-log.ts'
import { blankSessionId } from '../log/session-replaced.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { assembleParts } from './assemble-parts.ts'
import { o200kCounter } from './o200k-counter.ts'
import { readSession } from './read-session.ts'
import { checkWorkspaceOptions } from './check-workspace-options.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/**
 * Reads the log of a session, folds it, and assembles the parts that work on the result. Writes nothing.
 *
 * @param immediate the log in the form that commits at once, for a caller that cannot await it
 * @param parent the parent of a child session that is opened in the process of its parent
 */
export function* openParts(
  options: WorkspaceOptions,
  notify: WorkspaceListener,
  immediate?: AnyLog,
  parent: SessionParts['parent'] = null,
): MaybeAsync<SessionParts> {
  checkWorkspaceOptions(options)
  const { session = randomUUID() } = options
  const log = limitedLog(options.log ?? createOwnLog())
  if (session.trim() === '') throw blankSessionId()
  const tokenCounter = yield* waitFor(options.tokenCounter ?? o200kCounter())
  const keepResults = !isOwnLog(log) && options.keepResults !== false
  const settled = { ...options, session, log, tokenCounter, keepResults }
  const read = yield* readSession(settled, immediate ?? log, parent)
  return assembleParts(settled, read, notify, parent)
}
