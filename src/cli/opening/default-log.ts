import { isAbsolute, join } from 'node:path'
import type { CliContext } from '../shell/cli-context.ts'

/**
 * Where sessions are kept when no log is named: `LOADOUT_LOG`, else `loadout/sessions.sqlite` in the
 * user's state folder (`XDG_STATE_HOME`, or `~/.local/state`). Beside no project, since a session may
 * hold what nobody wants to publish with it. Null where there is no home.
 */
export function defaultLog({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const { LOADOUT_LOG: named = '', XDG_STATE_HOME: configured = '' } = env
  if (named !== '') return named
  if (isAbsolute(configured)) return join(configured, 'loadout', 'sessions.sqlite')
  return home === null ? null : join(home, '.local', 'state', 'loadout', 'sessions.sqlite')
}
