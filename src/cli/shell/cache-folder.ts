import { join } from 'node:path'
import type { CliContext } from './cli-context.ts'

/** Where what can be worked out anew is kept from one run to the next; null where there is no home. */
export function cacheFolder({ env, home }: Pick<CliContext, 'env' | 'home'>): string | null {
  const given = env['XDG_CACHE_HOME']
  const folder = given !== undefined && given !== '' ? given : home && join(home, '.cache')
  return folder === null ? null : join(folder, 'loadout')
}
