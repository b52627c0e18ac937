import {
  createMemoryLog,
  defineIntent,
  StateController,
  succeed,
  type Entry,
  type Intent,
  type VirtualWorkspace,
} from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '../../../../src/engine/evolve/evolve.ts'
import { aTool, aWorkspace } from '../../a-workspace.ts'

const ring = defineIntent({ type: 'RING', when: 'now' })
const note = defineIntent({ type: 'NOTE', when: 'after-turn' })
const greet = defineIntent({ type: 'GREET', when: 'next-turn' })
const kinds = [ring, note, greet]

const ask = aTool('ask', {
  inputSchema: { type: 'object', properties: { intents: { type: 'array' } } },
  execute: ({ intents }: { intents: readonly Intent[] }) => succeed(null, { intents }),
} as never)

const process = fc.nat(2)
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask'), process, kind: fc.nat(2) }) },
  fc.record({
    do: fc.constantFrom('begin', 'end', 'settle', 'crash', 'fail'),
    process,
    kind: fc.nat(2),
  }),
)

/** The outcome of each intent, by the log alone. */
function fates(entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const { event } of entries) {
    if (!('id' in event) || !event.type.startsWith('intent.')) continue
    found.set(event.id, [...(found.get(event.id) ?? []), event.type])
  }
  return found
}

interface Running {
  readonly workspace: VirtualWorkspace
  readonly controller: StateController
}

test('whatever processes do, an intent is applied at its moment, and no handler runs twice for it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
      const log = createMemoryLog()
      const append = log.append.bind(log)
      let failing = false
      log.append = (...given) => {
        if (!failing) return append(...given)
        failing = false
        return Promise.reject(new Error('disk full'))
      }
      let now = 1
      const clock = { now: () => (now += 1), monotonic: () => now }
      const ran = new Map<string, number>()
      const early: string[] = []
      const open = async (): Promise<Running> => {
        const options = { tools: [ask], intents: kinds, session: 's', log, testing: { clock } }
        const workspace = await aWorkspace({}, options)
        const run = ({ id, when, turn }: { id: string; when: string; turn: number }) => {
          ran.set(id, (ran.get(id) ?? 0) + 1)
          const { turn: current, endedTurn } = workspace.state
          const over = current > turn || (when === 'after-turn' && endedTurn >= turn)
          if (when !== 'now' && !over) early.push(id)
        }
        const handlers = { RING: run, NOTE: run, GREET: run }
        const controller = new StateController(workspace, { handlers, onError: () => undefined })
        return { workspace, controller }
      }
      const running = [await open(), await open(), await open()]
      const crashed: Running[] = []
      let asked = 0
      for (const { do: what, process: index, kind } of deeds) {
        const { workspace, controller } = running[index] as Running
        if (what === 'ask') {
          const response = await workspace.callTool('ask', { intents: [kinds[kind]?.intent()] })
          if (response.ok) asked += 1
        } else if (what === 'begin') await workspace.beginTurn().catch(() => undefined)
        else if (what === 'end') await workspace.endTurn().catch(() => undefined)
        else if (what === 'settle') await controller.settled().catch(() => undefined)
        else if (what === 'fail') failing = true
        else {
          crashed.push(running[index] as Running)
          running[index] = await open()
        }
      }
      failing = false
      // The end of a call that the log could not take is recorded with the next change.
      const [{ workspace, controller }] = running as [Running]
      await Promise.all(running.map((one) => one.controller.settled()))
      await workspace.beginTurn()
      await Promise.all([...running, ...crashed].map((one) => one.controller.settled()))
      now += 3_600_000
      await controller.settled()

      const entries = await workspace.entries()
      expect(fold(entries).intents).toEqual([])
      expect(early).toEqual([])
      expect([...ran.values()].filter((times) => times > 1)).toEqual([])
      const told = fates(entries)
      expect(told.size).toBeGreaterThanOrEqual(asked)
      for (const [id, events] of told) {
        expect(events).toHaveLength(2)
        expect(events[0]).toBe('intent.taken')
        if (events[1] === 'intent.applied') expect(ran.get(id)).toBe(1)
      }
      for (const one of [...running, ...crashed]) {
        await one.controller.close()
        await one.workspace.close()
      }
    }),
    { numRuns: 60 },
  )
})
