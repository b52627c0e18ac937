import {
  createCatalog,
  createMemoryLog,
  defineRules,
  defineSkill,
  VirtualWorkspace,
  type EventLog,
} from 'loadout'
import { expect, test } from 'vitest'
import { fold } from '../../../../src/engine/evolve/evolve.ts'
import { aTool, modelCall } from './a-searching-workspace.ts'

/** Everything discovery writes, over a log whose n-th append fails. */
async function scenario(failAt: number) {
  const memory = createMemoryLog()
  let appends = Number.NEGATIVE_INFINITY
  const log: EventLog = {
    ...memory,
    async append(...given) {
      appends += 1
      if (appends === failAt) throw new Error('disk full')
      await memory.append(...given)
    },
  }
  const inside = new Set<string>()
  const catalog = await createCatalog({
    skills: [
      defineSkill({
        name: 'owls',
        description: 'Owls.',
        lifetime: { turns: 1 },
        tools: [
          aTool('owl_list', {
            topic: 'birds',
            extraction: { path: 'owls', type: 'owl', nameField: 'name', isArray: true },
            execute: () => ({ owls: [{ id: 1, name: 'Barn owl' }] }),
          }),
        ],
        onActivate: () => void inside.add('owls'),
        onDeactivate: () => void inside.delete('owls'),
      }),
    ],
    rules: [defineRules({ topic: 'birds', text: 'Look at night.' })],
  })
  const discovery = { keep: { idleTurns: 1 } }
  const workspace = await VirtualWorkspace.open({ catalog, log, discovery })
  appends = 0
  const failures: string[] = []
  const step = async (command: () => Promise<unknown>) => {
    try {
      if (JSON.stringify(await command()).includes('disk full')) failures.push('answered')
    } catch (error) {
      failures.push((error as Error).message)
    }
    expect(workspace.state).toEqual(fold(await log.read(workspace.session)))
    const active = workspace.skillManager.getActiveSkills().map(({ name }) => name)
    expect([...inside]).toEqual(active)
  }
  await step(() => workspace.beginTurn())
  await step(() => modelCall(workspace, 'tool_search', { query: 'list owls' }))
  await step(() => workspace.beginStep())
  await step(() => modelCall(workspace, 'owl_list', {}))
  await step(() => workspace.setSummary('Owls were listed.'))
  await step(() => workspace.compact())
  await step(() => workspace.beginTurn())
  await step(() => workspace.beginTurn())
  await step(() => workspace.beginTurn())
  expect(workspace.state.calls).toEqual([])
  const written = appends
  const again = await modelCall(workspace, 'tool_search', { query: 'list owls at night' })
  expect(again).toMatchObject({ ok: true, data: { tools: [{ name: 'owl_list' }] } })
  await workspace.close()
  return { failures, appends: written }
}

/** The append that puts the skill away: nobody waits for it, the next turn tries again. */
const LIFETIME_END = 14

const { appends: all } = await scenario(0)

test('the scenario writes of everything discovery does', () => {
  expect(all).toBeGreaterThan(12)
})

test.each(Array.from({ length: all }, (_, index) => index + 1))(
  'when append %i fails, the state is what the log has, and so are the hooks',
  async (failAt) => {
    const { failures } = await scenario(failAt)
    expect(failures).toHaveLength(failAt === LIFETIME_END ? 0 : 1)
  },
)
