import { isAbsolute, join } from 'node:path'
import type { CliContext } from '../shell/cli-context.ts'

/** Returns the folder of a user for what programs keep; null without a home. */
export function stateFolder({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const { XDG_STATE_HOME: configured = '' } = env
  if (isAbsolute(configured)) return join(configured, 'loadout')
  return home === null ? null : join(home, '.local', 'state', 'loadout')
}
