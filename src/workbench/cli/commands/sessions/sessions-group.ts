import type { CliGroup } from '../../shell/cli-command.ts'
import { sessionsDeleteCommand } from './sessions-delete-command.ts'
import { sessionsExportCommand } from './sessions-export-command.ts'
import { sessionsForkCommand } from './sessions-fork-command.ts'
import { sessionsImportCommand } from './sessions-import-command.ts'
import { sessionsListCommand } from './sessions-list-command.ts'
import { sessionsPruneCommand } from './sessions-prune-command.ts'
import { sessionsRepairCommand } from './sessions-repair-command.ts'
import { sessionsShowCommand } from './sessions-show-command.ts'

/** `loadout sessions`: work with the sessions of any log. */
export const sessionsGroup: CliGroup = {
  name: 'sessions',
  summary: 'List, show, fork, export, import, repair, delete and prune sessions',
  commands: [
    sessionsListCommand,
    sessionsShowCommand,
    sessionsForkCommand,
    sessionsExportCommand,
    sessionsImportCommand,
    sessionsRepairCommand,
    sessionsDeleteCommand,
    sessionsPruneCommand,
  ],
}
