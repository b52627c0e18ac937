import {
  createMemoryLog,
  defineComponent,
  type EventLog,
  type ToolComponent,
  type VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { bindTool } from '../../src/tools/definition/make-tool.ts'
import { owners } from '../../scripts/torture/owners.ts'
import { slowedLog } from '../../scripts/torture/slowed-log.ts'
import { holds } from '../torture/holds.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'

/** One of many instances of a component class: all have the same tool, and each its own closure. */
function aBoard(key: string, instance = key, also: readonly string[] = []): ToolComponent {
  return defineComponent({
    key,
    initialState: null,
    tools: (define) => [
      define({ name: 'draw', description: 'Draws.', execute: () => instance }),
      ...also.map((name) =>
        define({ name, description: `Draws a ${name}.`, execute: () => instance }),
      ),
    ],
    panel: () => ({ title: key, lines: [] }),
  })
}

/** A tool that every owner defines with the same words. */
const draw = (instance: string) => aTool('draw', { description: 'Draws.', execute: () => instance })

async function answer(workspace: VirtualWorkspace, tool: string): Promise<unknown> {
  const response = await workspace.callTool(tool, {})
  return response.ok ? response.data : response.error.details['code']
}

test('each of two instances of one component class runs its own handler', async () => {
  const components = [aBoard('left'), aBoard('right')]
  const workspace = await aWorkspace({}, { components })
  expect(await answer(workspace, 'left/draw')).toBe('left')
  expect(await answer(workspace, 'right/draw')).toBe('right')
  expect(await answer(workspace, 'draw')).toBe(workspace.explain('draw').owner)
})

test('each of two instances runs its own handler after the session was opened again', async () => {
  const components = [aBoard('left'), aBoard('right')]
  const log = createMemoryLog()
  await (await aWorkspace({}, { components, log, session: 's' })).close()
  const workspace = await aWorkspace({}, { components, log, session: 's' })
  expect(await answer(workspace, 'left/draw')).toBe('left')
  expect(await answer(workspace, 'right/draw')).toBe('right')
})

test('the handler of an owner that has left does not run', async () => {
  const workspace = await aWorkspace({})
  await workspace.registerComponent(aBoard('one'))
  await workspace.registerComponent(aBoard('two'))
  const gone = await workspace.unregisterComponent('two')
  expect(await answer(workspace, 'draw')).toBe('one')
  expect(gone).toMatchObject({ ok: true, difference: { added: [], removed: ['two__draw'] } })
  const last = await workspace.unregisterComponent('one')
  expect(last).toMatchObject({ ok: true, difference: { removed: ['draw'] } })
  await workspace.registerTool(draw('global'))
  expect(await answer(workspace, 'draw')).toBe('global')
})

test('the handler of a refused registration does not run', async () => {
  const workspace = await aWorkspace({ tools: [aTool('taken')] })
  await workspace.registerTool(draw('A'))
  const refused = await workspace.registerComponent(aBoard('board', 'refused', ['taken']))
  expect(refused).toMatchObject({ ok: false, code: 'tool-name-taken' })
  expect(await answer(workspace, 'draw')).toBe('A')
})

test('the handler of a registration runs from its entry on', async () => {
  const workspace = await aWorkspace({}, { log: slowedLog(createMemoryLog(), [5]) })
  await workspace.registerTool(draw('first'))
  const second = workspace.registerTool(draw('second'), { replace: true })
  expect(await workspace.getAvailableTools()[0]?.execute?.({}, {} as never)).toBe('first')
  await second
  expect(await answer(workspace, 'draw')).toBe('second')
})

test('a skill without a handler does not run the handler of another owner of the same tool', async () => {
  const skill = aSkill('drawing', { tools: [bindTool(draw(''))] })
  const workspace = await aWorkspace({ skills: [skill] }, { tools: [draw('global')] })
  await workspace.activateSkill('drawing')
  expect(workspace.explain('skill:drawing/draw').status).toBe('unbound')
  expect(await answer(workspace, 'draw')).toBe('global')
  expect(workspace.explain('draw').owner).toBe('global')
})

test('a component that another process replaced keeps the handler of this process', async () => {
  const log = createMemoryLog()
  const open = (instance: string) =>
    aWorkspace({}, { components: [aBoard('board', instance)], log, session: 's' })
  const [here, there] = [await open('here'), await open('there')]
  await there.registerComponent(aBoard('board', 'there anew'), { replace: true })
  expect(await answer(here, 'draw')).toBe('here')
  await there.unregisterComponent('board')
  await there.registerComponent(aBoard('board', 'there again'))
  expect(await answer(here, 'draw')).toBe('unbound')
  expect(await answer(there, 'draw')).toBe('there again')
})

test('a tool that is registered while its definition is read from the log keeps its handler', async () => {
  const log = createMemoryLog()
  const reading = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const slow: EventLog = {
    ...log,
    definitions: {
      ...log.definitions,
      get: async (hashes) => {
        reading.resolve()
        await gate.promise
        return log.definitions.get(hashes)
      },
    },
  }
  const here = await aWorkspace({}, { log: slow, session: 's' })
  const there = await aWorkspace({}, { log, session: 's' })
  await there.registerTool(draw('there'))
  const turn = here.beginTurn()
  await reading.promise
  const registered = here.registerTool(draw('here'))
  gate.resolve()
  expect([(await turn).ok, (await registered).ok]).toEqual([true, true])
  expect(await answer(here, 'draw')).toBe('here')
})

test('the handler that runs is that of the owner that explain names', async () => {
  const { figures } = await holds(owners, 0.005)
  expect(figures['random sequences of registrations']).toBe(100)
})

test('a registration whose answer is lost is bound once its entries are read', async () => {
  const log = createMemoryLog()
  const { immediate: _, ...own } = log
  let isLost = false
  const losing: EventLog = {
    ...own,
    append: async (...given) => {
      await log.append(...given)
      if (isLost) throw new Error('The connection is gone.')
    },
  }
  const workspace = await aWorkspace({}, { log: losing })
  isLost = true
  await expect(workspace.registerTool(draw('here'))).rejects.toThrow('gone')
  isLost = false
  await workspace.beginTurn()
  expect(await answer(workspace, 'draw')).toBe('here')
})
