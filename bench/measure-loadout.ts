import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  VirtualWorkspace,
  type Catalog,
} from 'loadout'
import { figure, type Figure } from './figure.ts'
import { loadoutSkills, type SkillText } from './generate-skills.ts'
import { heapPerSession } from './heap-per-session.ts'
import { samplesOf, takeSamples, type Samples } from './take-samples.ts'

/** Skills that are active throughout, and skills that are loaded and unloaded one after the other. */
const ACTIVE = 5
const MANY_ACTIVE = 50
const VISITED = 90
const ROUNDS = 12

/** Measures one session over a catalog of these skills. */
export async function measureLoadout(texts: readonly SkillText[]): Promise<readonly Figure[]> {
  const skills = loadoutSkills(texts)
  const agent = defineAgent({
    name: 'clerk',
    prompt: 'You help the clerks.',
    skills: skills.map(({ name }) => name),
  })
  const made = await takeSamples(() => createCatalog({ skills, agents: [agent] }), { runs: 5 })
  const catalog = await createCatalog({ skills, agents: [agent] })
  const log = createMemoryLog()
  const open = () => VirtualWorkspace.open({ catalog, agent: 'clerk', log })
  const openAlone = () => VirtualWorkspace.open({ catalog, agent: 'clerk' })
  const opened = await takeSamples(open, { runs: 300 })

  const names = spread(catalog)
  const first = await visit(names.slice(ACTIVE), openAlone)
  const workspace = await open()
  for (const name of names.slice(0, ACTIVE)) await workspace.activateSkill(name)
  const again = await visit(names.slice(ACTIVE), async () => workspace)
  const crowded = await open()
  for (const name of names.slice(0, MANY_ACTIVE)) await crowded.activateSkill(name)
  const among = await visit(names.slice(MANY_ACTIVE), async () => crowded)

  const [coming = ''] = names.slice(ACTIVE)
  let isActive = false
  const change = async () => {
    await (isActive ? workspace.deactivateSkill(coming) : workspace.activateSkill(coming))
    isActive = !isActive
  }
  const { length: count } = texts
  const of = (what: Figure['what'], samples: Samples) => figure('loadout', what, count, samples)
  return [
    of('catalog from definitions', made),
    of('open a session', opened),
    of('load a skill, first time in its log', first.loaded),
    of('load a skill again', again.loaded),
    of('load a skill with 50 others active', among.loaded),
    of('unload a skill', again.unloaded),
    of(
      'tools, unchanged',
      await takeSamples(() => workspace.getAvailableTools(), { runs: 1000, batch: 100 }),
    ),
    of(
      'tools after a change',
      await takeSamples(() => workspace.getAvailableTools(), { runs: 500, before: change }),
    ),
    of(
      'prompt text after a change',
      await takeSamples(() => workspace.prompt().text, { runs: 500, before: change }),
    ),
    of(
      'prompt text, unchanged',
      await takeSamples(() => workspace.prompt().text, { runs: 1000, batch: 100 }),
    ),
    of('idle session', await heapPerSession(open)),
  ]
}

/** Names from the complete catalog: as many for a small one as for a large one. */
function spread(catalog: Catalog): readonly string[] {
  const all = [...catalog.skills.keys()]
  const count = ACTIVE + VISITED
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? '')
}

/** Loads each skill and unloads it, in rounds; the first two are for warming up. */
async function visit(
  names: readonly string[],
  open: () => Promise<VirtualWorkspace>,
): Promise<{ readonly loaded: Samples; readonly unloaded: Samples }> {
  const loaded: number[] = []
  const unloaded: number[] = []
  for (let round = -2; round < ROUNDS; round += 1) {
    const workspace = await open()
    for (const name of names) {
      const coming = await untilTold(workspace, () => workspace.activateSkill(name))
      const going = await untilTold(workspace, () => workspace.deactivateSkill(name))
      if (round < 0) continue
      loaded.push(coming)
      unloaded.push(going)
    }
  }
  return { loaded: samplesOf(loaded), unloaded: samplesOf(unloaded) }
}

/** Milliseconds from the command to its listeners. */
async function untilTold(
  workspace: VirtualWorkspace,
  command: () => Promise<{ readonly ok: boolean }>,
): Promise<number> {
  let told = Number.NaN
  const stop = workspace.subscribe(() => {
    told = performance.now()
  })
  const start = performance.now()
  const { ok } = await command()
  stop()
  if (!ok) throw new Error('A command of the bench was refused.')
  return told - start
}
