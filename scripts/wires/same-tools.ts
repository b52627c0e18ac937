import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Catalog,
  type WorkspaceOptions,
} from 'loadout'
import type { WireDriver } from '../../tests/adapters/wire-sessions/wire-driver.ts'
import { WIRE_DRIVERS } from '../../tests/adapters/wire-sessions/wire-drivers.ts'
import { compareBodies } from '../../tests/wires/compare/compare-bodies.ts'
import { promptParts } from '../../tests/wires/compare/prompt-parts.ts'
import type { Answer } from '../../tests/wires/server/answer.ts'
import { openWireServer } from '../../tests/wires/server/open-wire-server.ts'
import { createDice, type Dice } from '../torture/torture-part.ts'
import type { WirePart } from './wire-part.ts'

const STEPS = 20
const ACTIVATIONS = 5
const DEPARTURES = 3

/** Activates and deactivates skills in the middle of a conversation, and compares what was sent before. */
export const sameTools: WirePart = {
  name: 'tools',
  claim: `In conversations of ${STEPS} requests with ${ACTIVATIONS} activations and ${DEPARTURES} departures, under the strategy \`conversation\`, the \`tools\` array is the same bytes in every request, and the rest of each request begins with that of the request before.`,
  columns: ['adapter', 'conversations', 'requests', 'same tools', 'earlier input is a prefix'],
  async run({ sessions, seed: first }) {
    const rows: (string | number)[][] = []
    const failures: string[] = []
    const bodies = { checked: 0, refused: 0 }
    for (const driver of WIRE_DRIVERS) {
      const seen = { requests: 0, same: 0, pairs: 0, kept: 0, conversations: 0 }
      for (let seed = first; seed < first + sessions; seed += 1) {
        const found = await converse(driver, createDice(seed))
        if (found.strategies.some((strategy) => strategy !== 'conversation')) break
        const { requests, violations } = found
        bodies.checked += requests.length
        bodies.refused += new Set(violations.map(({ request }) => request)).size
        failures.push(
          ...violations.map(({ message }) => `${driver.name}, seed ${seed}: ${message}`),
        )
        seen.conversations += 1
        const tools = requests.map(({ body }) => JSON.stringify(body.tools))
        for (const [index, { wire, body }] of requests.entries()) {
          seen.requests += 1
          if (tools[index] === tools[0]) seen.same += 1
          else failures.push(`${driver.name}, seed ${seed}, request ${index}: other tools`)
          const before = requests[index - 1]
          if (before === undefined) continue
          seen.pairs += 1
          const { changed } = compareBodies(wire, before.body, body)
          if (changed === null) seen.kept += 1
          else failures.push(`${driver.name}, seed ${seed}, request ${index}: ${changed.part}`)
        }
      }
      if (seen.conversations === 0) continue
      const { conversations, requests, same, kept, pairs } = seen
      rows.push([driver.name, conversations, requests, share(same, requests), share(kept, pairs)])
    }
    return { rows, failures, bodies }
  },
}

const STRATEGIES = ['active', 'append', 'deferred', 'conversation', 'bridge'] as const

const CONVERSATIONS = 5

/** Runs the same conversations under every strategy that an adapter can carry, and counts what is kept. */
export const keptByStrategy: WirePart = {
  name: 'strategies',
  claim: `${CONVERSATIONS} conversations of ${STEPS} requests with ${ACTIVATIONS} activations and ${DEPARTURES} departures, under each strategy that the adapter carries: the requests that begin with all of the one before, and the bytes of the one before that are kept.`,
  columns: ['adapter', 'strategy', 'same tools', 'all is kept', 'bytes kept'],
  async run({ seed: first }) {
    const rows: (string | number)[][] = []
    const bodies = { checked: 0, refused: 0 }
    for (const driver of WIRE_DRIVERS) {
      for (const strategy of STRATEGIES) {
        const seen = { pairs: 0, same: 0, kept: 0, bytes: 0, keptBytes: 0 }
        for (let seed = first; seed < first + CONVERSATIONS; seed += 1) {
          const found = await converse(driver, createDice(seed), strategy)
          bodies.checked += found.requests.length
          bodies.refused += new Set(found.violations.map(({ request }) => request)).size
          if (found.strategies.some((one) => one !== strategy)) break
          for (const [index, { wire, body }] of found.requests.entries()) {
            const before = found.requests[index - 1]
            if (before === undefined) continue
            const { changed, keptBytes } = compareBodies(wire, before.body, body)
            const parts = promptParts(wire, before.body)
            seen.pairs += 1
            seen.bytes += parts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
            seen.keptBytes += keptBytes
            if (changed === null) seen.kept += 1
            if (JSON.stringify(before.body.tools) === JSON.stringify(body.tools)) seen.same += 1
          }
        }
        const { pairs, same, kept, bytes, keptBytes } = seen
        if (pairs === 0) continue
        const shares = [share(same, pairs), share(kept, pairs), share(keptBytes, bytes)]
        rows.push([driver.name, `\`${strategy}\``, ...shares])
      }
    }
    return { rows, failures: [], bodies }
  },
}

/** Writes a part of a whole in percent. */
function share(part: number, whole: number): string {
  return `${Number(((100 * part) / whole).toFixed(2))} %`
}

async function converse(driver: WireDriver, dice: Dice, exposure?: WorkspaceOptions['exposure']) {
  const workspace = await VirtualWorkspace.open({
    catalog: await officeCatalog(),
    log: createMemoryLog(),
    ...driver.options,
    ...(exposure !== undefined && { exposure }),
  })
  const script = scriptOf(dice)
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
  return { strategies, requests: server.requests, violations: server.violations }
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
        return name === undefined ? 'Nothing.' : [{ name: workspace.sentName(name), input: {} }]
      })
    }
  }
  return lines
}
