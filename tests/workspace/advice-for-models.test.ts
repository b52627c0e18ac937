import {
  defineAgent,
  defineSkill,
  defineTool,
  type VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { aTool, aWorkspace } from './a-workspace.ts'

/** Words for the host: functions, options, files and commands that no model has. */
const FOR_HOST =
  /setToolEnabled|acceptTool|acceptSkill|registerSkill|permissions|\boptions?\b|limits\.|Ask the host|of the agent|Attach|Bind a handler|Open the session|raise its limit|callsPerTurn|activeTools|loadout /u

const pay = aTool('pay', { category: 'action', inputSchema: { type: 'object' } })

const skills = [
  defineSkill({ name: 'mail', description: 'Mail.', tools: [aTool('send')] }),
  defineSkill({
    name: 'own',
    description: 'For people.',
    disableModelInvocation: true,
    tools: [aTool('wipe')],
  }),
]

interface Row {
  readonly options?: Omit<WorkspaceOptions, 'catalog'>
  readonly before?: (workspace: VirtualWorkspace) => Promise<unknown>
  readonly call: string
  readonly code: string
  readonly host: RegExp
}

const ROWS: Readonly<Record<string, Row>> = {
  'is switched off': {
    before: (workspace) => workspace.setToolEnabled('pay', false),
    call: 'pay',
    code: 'disabled',
    host: /setToolEnabled/u,
  },
  'is denied': {
    options: { policy: { permissions: { deny: ['pay'] } } },
    call: 'pay',
    code: 'denied',
    host: /Ask the host/u,
  },
  'is denied with these arguments': {
    options: { policy: { permissions: { deny: [{ tool: 'pay', where: { to: 'eve' } }] } } },
    call: 'pay',
    code: 'denied',
    host: /permissions/u,
  },
  'is over its budget': {
    options: { policy: { callsPerTurn: { action: 0 } } },
    call: 'pay',
    code: 'budget-spent',
    host: /The host sets/u,
  },
  'has no handler': { call: 'unbound', code: 'unbound', host: /Bind a handler/u },
  'is in a skill that only people load': {
    call: 'wipe',
    code: 'skill-inactive',
    host: /Activate/u,
  },
  'is not shown in this step': {
    before: (workspace) => workspace.beginStep({ activeTools: [] }),
    call: 'pay',
    code: 'not-exposed',
    host: /activeTools/u,
  },
}

test.each(Object.entries(ROWS))(
  'the refusal of a tool that %s advises a model only what a model can do',
  async (_, { options = {}, before, call, code, host }) => {
    const unbound = defineTool({ name: 'unbound', description: 'No handler.' })
    const workspace = await aWorkspace({ skills, tools: [pay, unbound] }, options)
    await before?.(workspace)
    const response = await workspace.callTool(call, { to: 'eve' }, { caller: 'model' })
    if (response.ok) throw new Error('It ran.')
    const { message, details } = response.error
    expect([details['code'], FOR_HOST.exec(message)]).toEqual([code, null])
    // The host reads its own advice.
    expect(String(details['hint'])).toMatch(host)
    const { event } = (await workspace.entries()).at(-1) ?? {}
    expect(event).toMatchObject({ type: 'command.refused', hint: expect.stringMatching(host) })
  },
)

test('a skill that the model may load is named to it', async () => {
  const workspace = await aWorkspace({ skills })
  const response = await workspace.callTool('send', {}, { caller: 'model' })
  expect(response).toMatchObject({
    error: { message: expect.stringContaining('Activate the skill "mail".') },
  })
})

test('a skill outside of the agent is refused to the model without advice for the host', async () => {
  const agents = [defineAgent({ name: 'clerk', skills: ['own'] })]
  const workspace = await aWorkspace({ skills, agents }, { agent: 'clerk' })
  const response = await workspace.callTool('loadSkill', { skillName: 'mail' }, { caller: 'model' })
  if (response.ok) throw new Error('It was loaded.')
  expect(FOR_HOST.exec(response.error.message)).toBeNull()
})
