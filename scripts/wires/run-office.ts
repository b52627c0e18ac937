import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Catalog,
  type WorkspaceOptions,
} from 'loadout'
import type { WireDriver } from '../../tests/connections/wires/wire-sessions/wire-driver.ts'
import type { Answer } from '../../tests/wires/server/answer.ts'
import { openWireServer } from '../../tests/wires/server/open-wire-server.ts'
import { createDice, type Dice } from '../torture/torture-part.ts'

const STEPS = 20
const ACTIVATIONS = 5
const DEPARTURES = 3

/** The conversations, for a claim. */
export const OF_AN_OFFICE = `conversations of ${STEPS} requests with ${ACTIVATIONS} activations and ${DEPARTURES} departures`

/** Runs one conversation through an adapter, with skills that come and go in the middle of it. */
export async function runOffice(
  driver: WireDriver,
  seed: number,
  exposure?: WorkspaceOptions['exposure'],
) {
  const workspace = await VirtualWorkspace.open({
    catalog: await officeCatalog(),
    log: createMemoryLog(),
    ...driver.options,
    ...(exposure !== undefined && { exposure }),
  })
  const script = scriptOf(createDice(seed))
  const server = await openWireServer({
    answers: ({ index }) => script[index]?.(workspace) ?? 'Done.',
  })
  const conversation = driver.converse(server.url, {})
  const { signal } = new AbortController()
  while (server.requests.length < STEPS) {
    await conversation.turn(workspace, `Go on after ${server.requests.length}.`, signal)
  }
  const events = (await workspace.entries()).map(({ event }) => event)
  await workspace.close()
  await server.close()
  const changes = (['source.opened', 'source.closed'] as const).map(
    (type) => events.filter((event) => event.type === type && event.source === 'skill').length,
  )
  if (changes.join() !== [ACTIVATIONS, DEPARTURES].join()) throw new Error(`It had ${changes}.`)
  const strategies = events.flatMap((event) => (event.type === 'step.begun' ? event.strategy : []))
  const { requests, violations } = server
  const refused = new Set(violations.map(({ request }) => request)).size
  return { strategies, requests, violations, refused }
}

const SKILLS = ['mail', 'maps', 'music', 'notes', 'pdf', 'photos', 'tasks'] as const

function officeCatalog(): Promise<Catalog> {
  return createCatalog({
    skills: SKILLS.map((name) =>
      defineSkill({
        name,
        description: `Works with ${name}.`,
        instructions: `Think of ${name} before you answer. `.repeat(5),
        tools: [`${name}_read`, `${name}.write`].map((tool) =>
          defineTool({
            name: tool,
            description: `Runs ${tool} and returns what was done in a few words. `.repeat(3),
            category: 'retrieval',
            inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
            execute: () => ({ done: tool }),
          }),
        ),
      }),
    ),
  })
}

type Line = (workspace: VirtualWorkspace) => Answer

/** Writes the answers of a model: the activations and departures at random places among calls and ends of turns. */
function scriptOf(dice: Dice): readonly Line[] {
  const lines: Line[] = []
  const left = [...SKILLS] as string[]
  const active: string[] = []
  let [loads, unloads] = [ACTIVATIONS, DEPARTURES]
  const takeFrom = (list: string[]) => list.splice(dice(list.length), 1)[0] ?? ''
  while (lines.length < STEPS - 1) {
    const isLate = STEPS - 1 - lines.length <= loads + unloads
    const kind = isLate ? 4 + dice(2) : dice(6)
    if (kind === 4 && loads > 0) {
      loads -= 1
      const skillName = takeFrom(left)
      active.push(skillName)
      lines.push(() => [{ name: 'loadSkill', input: { skillName } }])
    } else if (kind === 5 && unloads > 0 && active.length > 0) {
      unloads -= 1
      const skillName = takeFrom(active)
      lines.push(() => [{ name: 'unloadSkill', input: { skillName } }])
    } else if (kind === 0) {
      lines.push(({ state }) => `That is all at ${state.step}.`)
    } else if (kind < 4) {
      const at = dice(100)
      lines.push((workspace) => {
        const tools = workspace.getAvailableTools().filter(({ name }) => !/[sS]kill/.test(name))
        const name = tools[at % Math.max(1, tools.length)]?.name
        return name === undefined
          ? 'Nothing.'
          : [{ name: workspace.calls.sentName(name), input: {} }]
      })
    }
  }
  return lines
}
