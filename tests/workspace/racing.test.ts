import { createCatalog, createMemoryLog, VirtualWorkspace, type EventLog } from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { aSkill, aTool } from './a-workspace.ts'

type Act = (workspace: VirtualWorkspace) => Promise<unknown>

const ACTS: Readonly<Record<string, Act>> = {
  'activate top': (one) => one.activateSkill('top'),
  'activate alone': (one) => one.activateSkill('alone'),
  'activate rival': (one) => one.activateSkill('rival', { replace: true }),
  'activate once': (one) => one.activateSkill('once'),
  'put base away': (one) => one.deactivateSkill('base', { cascade: true }),
  'put any away': (one) => one.deactivateSkill(),
  'call top': (one) => one.callTool('top_tool', {}),
  'call once': (one) => one.callTool('once_tool', {}),
  'call asked': (one) => one.callTool('asked', {}),
  approve: (one) => one.approve(one.state.confirmations[0]?.id ?? ''),
  switch: (one) => one.setToolEnabled('asked', !one.isToolAvailable('asked')),
  turn: (one) => one.beginTurn(),
  step: (one) => one.beginStep(),
}

/** A log whose appends and reads take a turn of the event loop, so that others get in between. */
function slowLog(): EventLog {
  const log = createMemoryLog()
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    ...log,
    append: (...given) => turn().then(() => log.append(...given)),
    read: (...given) => turn().then(() => log.read(...given)),
  }
}

/** Skills whose hooks record which are active in one process, and fail on request. */
async function opened(log: EventLog, script: boolean[]) {
  const inside = new Set<string>()
  const hook =
    (isEntering: boolean) =>
    ({ skill, undo }: { skill: string; undo: boolean }) => {
      if (!undo && script.shift() === false) throw new Error('scripted')
      if (isEntering) inside.add(skill)
      else inside.delete(skill)
    }
  const hooks = { onActivate: hook(true), onDeactivate: hook(false) }
  const catalog = await createCatalog({
    skills: [
      aSkill('base', hooks),
      aSkill('top', { requires: ['base'], ...hooks }),
      aSkill('alone', { exclusive: true, ...hooks }),
      aSkill('rival', { conflicts: ['base'] }),
      aSkill('once', { lifetime: { uses: 1 }, ...hooks }),
    ],
    tools: [aTool('asked', { requiresConfirmation: true })],
  })
  const workspace = await VirtualWorkspace.open({ catalog, log, session: 's' })
  return { workspace, inside }
}

test('whatever two processes do to one session at once, both end with what the log says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ act: fc.constantFrom(...Object.keys(ACTS)), isOne: fc.boolean() }), {
        maxLength: 14,
      }),
      fc.array(fc.boolean(), { maxLength: 12 }),
      async (acts, script) => {
        const log = slowLog()
        const one = await opened(log, script)
        const two = await opened(log, script)
        const both = [one, two]
        await Promise.all(acts.map(({ act, isOne }) => ACTS[act]?.((isOne ? one : two).workspace)))
        // Each catches up with the other: the second turn comes after the first one's.
        for (const { workspace } of [...both, ...both]) await workspace.beginTurn()
        await one.workspace.setToolEnabled('loadSkill', true)
        const entries = await log.read('s')
        for (const { workspace, inside } of both) {
          expect(workspace.state.seq).toBe(entries.length - 1)
          expect(workspace.state).toEqual(fold(entries))
          expect(workspace.store.getState().pending).toEqual([])
          expect(workspace.state.calls).toEqual([])
          const active = new Set(workspace.skillManager.getActiveSkills().map(({ name }) => name))
          const lost = [...active].filter(
            (name) => name !== 'rival' && !both.some((each) => each.inside.has(name)),
          )
          expect(lost).toEqual([])
          expect(inside.has('rival')).toBe(false)
        }
        const ran = entries.filter(
          ({ event }) => event.type === 'call.started' && event.tool === 'asked',
        )
        const approvals = entries.filter(({ event }) => event.type === 'confirmation.approved')
        expect(ran.length).toBeLessThanOrEqual(approvals.length)
      },
    ),
    { numRuns: 60 },
  )
})
