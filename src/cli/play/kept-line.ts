import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { OpenSession } from '../open-session.ts'
import { shellWord } from '../shell-word.ts'

/** What it is kept in. */
interface KeptOptions {
  readonly options: Pick<OpenSession['options'], 'log'>
}

const BY_SOMEBODY: ReadonlySet<string> = new Set(['user', 'host', 'model'])

/**
 * A session that was begun for a screen stays when something was done in it, and the line says how to go
 * on with it; when not it goes, with null as for any other session.
 */
export async function keptLine(
  { begunIn, options: { log } }: Pick<OpenSession, 'begunIn'> & KeptOptions,
  left: VirtualWorkspace,
): Promise<string | null> {
  if (begunIn === null) return null
  const { session } = left
  const entries = await left.entries()
  if (entries.some(({ cause }) => BY_SOMEBODY.has(cause.by))) {
    return `It is kept: loadout play --session ${shellWord(sanitiseLine(session))} goes on with it.`
  }
  await log.delete(session)
  return null
}
