import { randomUUID } from 'node:crypto'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { WorkspaceListener } from '../commands/workspace-listener.ts'
import type { EventLog, ImmediateLog } from '../log/event-log.ts'
import { createMemoryLog } from '../log/memory-log.ts'
import { blankSessionId } from '../log/session-replaced.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import { assembleParts } from './assemble-parts.ts'
import { o200kCounter } from './o200k-counter.ts'
import { freshSession, readSession } from './read-session.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** Read the log, fold it, and put together what works on the result. Writes nothing. */
export async function openParts(
  options: WorkspaceOptions,
  notify: WorkspaceListener,
): Promise<SessionParts> {
  const { log = createMemoryLog() } = options
  const session = sessionId(options)
  const tokenCounter = await (options.tokenCounter ?? o200kCounter())
  const read = await readSession(options, session, log)
  return assembleParts({ ...options, session, log, tokenCounter }, read, notify)
}

/** What opening without waiting takes: all of it is at hand, and the log commits at once. */
export interface ImmediateOptions<Services = unknown> extends WorkspaceOptions<Services> {
  readonly log: EventLog & { readonly immediate: ImmediateLog }
  readonly tokenCounter: TokenCounter
  /** A new one; known sessions are resumed by `open`. */
  readonly session: string
}

/** The same at once, for a session the log does not know. Throws `SESSION_KNOWN` for others. */
export function openPartsNow(options: ImmediateOptions, notify: WorkspaceListener): SessionParts {
  const session = sessionId(options)
  if (options.log.immediate.read(session).length > 0) throw sessionKnown(session)
  return assembleParts(options, freshSession(options, options.log), notify)
}

function sessionId({ session = randomUUID() }: WorkspaceOptions): string {
  if (session.trim() === '') throw blankSessionId()
  return session
}

function sessionKnown(session: string): WorkspaceError {
  return new WorkspaceError('SESSION_KNOWN', `The log has a session "${session}" already.`, {
    hint: 'Take it up with open, or choose another id.',
    facts: { session },
  })
}
