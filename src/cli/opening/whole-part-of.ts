import type { Entry } from '../../engine/model/event.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { LogDamage } from '../../workspace/log/log-damage.ts'
import type { SessionAt } from './session-at.ts'

/** What of a session is whole, and what is not. */
export interface WholePartOf {
  readonly entries: readonly Entry[]
  readonly damage: LogDamage | null
}

/** Read a session, of a damaged one what is whole. A server is asked for whole sessions only. */
export async function wholePartOf({ open, session }: SessionAt): Promise<WholePartOf> {
  const { log, kind, file } = open
  try {
    return { entries: await log.read(session), damage: null }
  } catch (error) {
    const isDamage = WorkspaceError.is(error) && error.code === 'LOG_DAMAGED'
    if (!isDamage || kind === 'postgres' || file === null) throw error
    if (kind === 'sqlite') {
      const { wholeSession } = await import('../../adapters/logs/sqlite/whole-session.ts')
      const whole = await wholeSession(file, session)
      if (whole === null || whole.damage === null) throw error
      return whole
    }
    const { wholeFile } = await import('../../adapters/logs/jsonl/whole-file.ts')
    return wholeFile(file)
  }
}
