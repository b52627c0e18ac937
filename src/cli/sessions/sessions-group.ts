import type { CliGroup } from '../program/cli-group.ts'
import { deleteSessions } from './delete-sessions.ts'
import { exportSession } from './export-session.ts'
import { forkSessionCommand } from './fork-session.ts'
import { importSessionCommand } from './import-session.ts'
import { listSessions } from './list-sessions.ts'
import { repairSessions } from './repair-sessions.ts'
import { showSession } from './show-session.ts'

/** `loadout sessions`: what is kept, whatever it is kept in. */
export const sessionsGroup: CliGroup = {
  name: 'sessions',
  summary: 'list, show, fork, export, import, repair and delete sessions that are kept',
  commands: [
    listSessions,
    showSession,
    forkSessionCommand,
    exportSession,
    importSessionCommand,
    repairSessions,
    deleteSessions,
  ],
}
