import type { Cause } from '../../engine/model/cause.ts'
import type { Command } from '../../engine/model/command.ts'
import type { SessionParts } from '../offer/session-parts.ts'

/** Who makes the entries of an opening, and of one that goes on with it. */
const OPENING: ReadonlySet<Cause['by']> = new Set(['initial', 'dependency', 'resume'])

/**
 * What an opening left out whose process died in it, or whose log failed: the agent's initial skills,
 * as long as nothing happened in the session but its opening. Tools and components that are missing
 * come back with every resumption.
 *
 * What was refused then is tried again, and a skill that came as a requirement is asked for itself.
 */
export async function unfinishedOpening({
  log,
  session,
  store,
  surroundings: { agent },
}: Pick<SessionParts, 'log' | 'session' | 'store' | 'surroundings'>): Promise<readonly Command[]> {
  const { open, turn, step } = store.getState().state
  const isThere = (skill: string) =>
    open.some(({ source, owner, requested }) => source === 'skill' && owner === skill && requested)
  const missing = (agent?.initialSkills ?? []).filter((skill) => !isThere(skill))
  // Most sessions are told by this; the log of a long one is not read for it.
  if (missing.length === 0 || turn > 0 || step > 0) return []
  const entries = await log.read(session)
  const isOpening = entries.every(({ cause }) => OPENING.has(cause.by))
  return isOpening ? missing.map((skill) => ({ type: 'skill.activate', skill })) : []
}
