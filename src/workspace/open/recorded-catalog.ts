import type { Catalog } from '../../catalog/create/catalog.ts'
import { withSkills } from '../../catalog/create/with-skills.ts'
import type { WorkspaceState } from '../../engine/model/state.ts'
import { hashesIn } from '../../kernel/hashes-in.ts'
import { skillFromRecord } from '../../skills/definition/skill-record.ts'
import type { DefinitionKeeper } from '../log/definition-registry.ts'
import type { EventLog } from '../log/ports.ts'
import { isDefinedBy } from '../log/is-defined-by.ts'

/**
 * The catalog as a session had it, for who looks at a moment of it: its active skills with the
 * definitions it activated, from the log, wherever those of today are others or gone.
 */
export async function recordedCatalog(
  catalog: Catalog,
  { open }: WorkspaceState,
  { definitions }: EventLog,
  keeper: DefinitionKeeper,
): Promise<Catalog> {
  const recorded = await Promise.all(
    open.map(async ({ source, owner, definition }) => {
      const isToday = catalog.skills.get(owner)?.hash === definition
      if (source !== 'skill' || definition === null || isToday) return []
      const record = await definitions.get(definition)
      if (record === undefined || !isDefinedBy(definition, record)) return []
      await keeper.learnHashes(hashesIn(record))
      return skillFromRecord(record, (hash) => keeper.tool(hash)) ?? []
    }),
  )
  return withSkills(catalog, recorded.flat())
}
