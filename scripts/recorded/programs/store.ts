import {
  createCatalog,
  defineAgent,
  defineComponent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type EventLog,
} from 'loadout'
import { openPostgresLog } from 'loadout/postgres'
import { openSqliteLog } from 'loadout/sqlite'

/**
 * Runs in a project that has the packed package: stores sessions of every kind in `sessions.sqlite`, and in the
 * PostgreSQL whose address is the argument.
 */
const order = {
  type: 'object',
  properties: { order: { type: 'string' } },
  required: ['order'],
} as const

const notes = defineComponent<{ readonly notes: readonly string[] }>({
  key: 'notes',
  description: 'Keeps notes.',
  initialState: { notes: [] },
  tools: (tool) => [
    tool({
      name: 'add_note',
      description: 'Add a note.',
      inputSchema: order,
      execute: async (input, context) => {
        await context.update(({ notes }) => ({ notes: [...notes, JSON.stringify(input)] }))
        return 'added'
      },
    }),
  ],
  panel: ({ notes }) => ({ title: 'Notes', lines: notes }),
})

const catalog = await createCatalog({
  skills: [
    defineSkill({
      name: 'refunds',
      description: 'Pays orders back. 返金。',
      instructions: 'Find the order for {{ NAME }} first.',
      tools: [
        defineTool({
          name: 'find_order',
          description: 'Find an order.',
          inputSchema: order,
          extraction: { path: '$root', type: 'order', nameField: 'order', idField: 'order' },
          execute: (input) => {
            const { order: number } = input as { order: string }
            if (number === 'none') throw new Error('There is no such order.')
            return { order: number, price: 42 }
          },
        }),
        defineTool({
          name: 'pay_back',
          description: 'Pay an order back.',
          inputSchema: order,
          requiresConfirmation: true,
          execute: () => ({ paidBack: 42 }),
        }),
      ],
    }),
    defineSkill({
      name: 'letters',
      description: 'Writes letters.',
      instructions: '丁寧に書いてください。',
      lifetime: { turns: 1 },
    }),
  ],
  components: [notes],
  agents: [
    defineAgent({ name: 'clerk', prompt: 'You help {{ NAME }}.', initialSkills: ['refunds'] }),
    defineAgent({ name: 'helper', prompt: 'You help a clerk.' }),
  ],
})

/** Questions that wait have expired whenever they are opened. */
const clock = { now: () => 1_710_000_000_000, monotonic: () => 0 }

async function store(log: EventLog): Promise<void> {
  const open = (session: string) =>
    VirtualWorkspace.open({
      catalog,
      log,
      session,
      agent: 'clerk',
      variables: { NAME: 'Ada' },
      provider: 'anthropic',
      discovery: {},
      principal: { id: 'ada' },
      confirmations: { keepArguments: true },
      limits: { snapshotEvery: 8 },
      testing: { clock },
      policy: { permissions: { deny: [{ tool: 'pay_back', where: { order: '0*' } }] } },
    })
  const day = await open('day')
  const asModel = { caller: 'model' } as const
  for (let turn = 0; turn < 3; turn += 1) {
    await day.beginTurn()
    await day.beginStep()
    await day.activateSkill('letters')
    await day.callTool('find_order', { order: `${turn}` }, asModel)
    await day.callTool('find_order', { order: 'none' }, asModel)
    await day.callTool('add_note', { order: '二' }, asModel)
    await day.endTurn()
  }
  await day.callTool('pay_back', { order: '07' }, asModel)
  await day.callTool('pay_back', { order: '7' }, asModel)
  await day.approve(day.state.confirmations[0]?.id ?? '', { by: 'user' })
  await day.callTool('pay_back', { order: '7' }, asModel)
  await day.callTool('tool_search', { query: 'money back' }, asModel)
  await day.activateSkill('nobody')
  await day.setPermissions({ ask: ['find_order'] })
  await day.setSummary('They spoke of orders. 注文')
  const child = await day.sessions.child({ agent: 'helper', session: 'child' })
  await child.activateSkill('refunds')
  await child.callTool('pay_back', { order: '8' }, asModel)
  await child.close()
  await day.sessions.fork(12, 'fork')
  await day.callTool('pay_back', { order: '9' }, asModel)
  await day.close()
  const fork = await open('fork')
  await fork.deactivateSkill('refunds')
  await fork.close()
}

const [url = ''] = process.argv.slice(2)

for (const log of [await openSqliteLog('sessions.sqlite'), await openPostgresLog(url)]) {
  await store(log)
  await log.close()
}
