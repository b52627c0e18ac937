import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { OpenSession } from '../opening/open-session.ts'
import { shellWord } from '../shell/shell-word.ts'
import { withoutPassword } from '../shell/without-password.ts'
import type { PlayOptions } from './play-options.ts'

/** How the screen was opened, as it was typed. */
interface AsTyped {
  readonly words: readonly string[]
  readonly options: Pick<PlayOptions, 'path' | 'log' | 'trust'>
}

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
  typed: AsTyped,
): Promise<string | null> {
  if (begunIn === null) return null
  const { session } = left
  const entries = await left.entries()
  if (entries.some(({ cause }) => BY_SOMEBODY.has(cause.by))) {
    return `It is kept. Go on with it: ${goingOn(session, typed)}`
  }
  await log.delete(session)
  return null
}

/** The session alone would be opened without the skills and the agent of the folders. */
function goingOn(session: string, { words, options: { path = [], log, trust } }: AsTyped): string {
  const command = [
    'loadout',
    'play',
    ...words,
    ...path.flatMap((one) => ['--path', one]),
    ...(log === undefined ? [] : ['--log', withoutPassword(log)]),
    ...(trust === true ? ['--trust'] : []),
    '--session',
    session,
  ]
  return command.map((word) => shellWord(sanitiseLine(word))).join(' ')
}
