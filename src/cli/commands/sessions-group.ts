import type { CliGroup } from '../shell/cli-group.ts'
import { deleteSessions } from './sessions-delete-command.ts'
import { exportSession } from './sessions-export-command.ts'
import { forkSessionCommand } from './sessions-fork-command.ts'
import { importSessionCommand } from './sessions-import-command.ts'
import { listSessions } from './sessions-list-command.ts'
import { repairSessions } from './sessions-repair-command.ts'
import { showSession } from './sessions-show-command.ts'

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
