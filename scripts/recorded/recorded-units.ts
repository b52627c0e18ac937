import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PROJECT } from '../run-command.ts'
import { startPostgres } from '../start-postgres.ts'
import { loadPostgres } from './make-stored.ts'
import type { InstalledPackage } from './open-installed.ts'
import { RECORDED_WIRES, recordBodies } from './record-bodies.ts'
import { type CommandGroup, readCommands, recordGroup } from './record-commands.ts'
import type { Recording } from './record-file.ts'
import { recordPrompts } from './record-prompts.ts'

/** The folder of what was recorded, and of what it is recorded with. */
export const RECORDED = join(PROJECT, 'tests', 'recorded')

/** A part that is recorded on its own. */
export interface RecordedUnit {
  readonly kind: 'outputs' | 'screens' | 'prompts' | 'bodies' | 'stored'
  /** The file with its records, in `tests/recorded/records`. */
  readonly file: string
  /** @param most the number of commands that are run at most, from the first one; all when absent */
  readonly record: (installed: InstalledPackage, most?: number) => Promise<readonly Recording[]>
}

const COMMANDS = join(RECORDED, 'commands')

/** Returns the groups of commands of all lists, each with its list. */
export function commandGroups(): readonly (CommandGroup & { readonly file: string })[] {
  return readdirSync(COMMANDS)
    .toSorted()
    .flatMap((file) => readCommands(join(COMMANDS, file)).map((group) => ({ ...group, file })))
}

/** Returns everything that is recorded, in the order of its files. */
export function recordedUnits(): readonly RecordedUnit[] {
  return [
    ...commandGroups().map((group): RecordedUnit => ({
      kind: unitKind(group.file),
      file: group.file,
      record: (installed, most) =>
        recordCommands({ ...group, lines: group.lines.slice(0, most) }, installed),
    })),
    { kind: 'prompts', file: 'prompts.txt', record: recordPrompts },
    ...RECORDED_WIRES.map((wire): RecordedUnit => ({
      kind: 'bodies',
      file: `bodies-${wire.toLowerCase().replaceAll(/[^a-z\d.]+/g, '-')}.txt`,
      record: (installed) => recordBodies(wire, installed),
    })),
  ]
}

function unitKind(file: string): RecordedUnit['kind'] {
  const name = basename(file, '.txt')
  return name === 'stored' || name === 'screens' ? name : 'outputs'
}

/** Runs a group, with a PostgreSQL that has the stored sessions if its commands name one. */
async function recordCommands(
  group: CommandGroup,
  installed: InstalledPackage,
): Promise<readonly Recording[]> {
  if (!group.lines.some((line) => line.includes('$POSTGRES'))) return recordGroup(group, installed)
  const postgres = await startPostgres()
  try {
    await loadPostgres(postgres.url)
    return await recordGroup(group, installed, { POSTGRES: postgres.url })
  } finally {
    await postgres.stop()
  }
}
