import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { providerName } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import { CLIENT_DRIVERS } from './wire-sessions/client-drivers.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'

test.each(WIRE_CLIENTS)(
  '$name: each tool gets its own calls, whatever the names are',
  async ({ provider, run }) => {
    const form = providerName('fs.read', 'openai')
    const long = 'a'.repeat(127)
    const names = [
      'fs.read',
      'FS.read',
      'fs_read',
      form,
      providerName(form, 'openai'),
      `${long}b`,
      `${long}c`,
      '__proto__',
      'constructor',
      '9.nine',
    ]
    const ran: string[] = []
    const tools = names.map((name) =>
      defineTool({
        name,
        description: 'Reads.',
        category: 'retrieval',
        execute: () => void ran.push(name),
      }),
    )
    const catalog = await createCatalog({ tools })
    const workspace = await VirtualWorkspace.open({ catalog, provider })
    const calls = names.map((name) => ({ name: workspace.calls.sentName(name) }))
    expect(new Set(calls.map(({ name }) => name)).size).toBe(names.length)
    const server = await openWireServer({ answers: [calls, 'Done.'] })
    await run(server.url, workspace)
    expect(ran.toSorted()).toEqual(names.toSorted())
    expect(server.violations).toEqual([])
    await workspace.close()
    await server.close()
  },
)

const MADE_UP = ['functions.read file', 'fs/read', 'ä', 'r'.repeat(200)]

test.each(WIRE_CLIENTS)(
  '$name: a name that the provider does not take is sent back in another form, and the next request is valid',
  async ({ provider, run }) => {
    let read = 0
    const tool = defineTool({
      name: 'fs.read',
      description: 'Reads.',
      category: 'retrieval',
      execute: () => (read += 1),
    })
    const workspace = await VirtualWorkspace.open({
      catalog: await createCatalog({ tools: [tool] }),
      provider,
    })
    const calls = ['fs.read', ...MADE_UP].map((name) => ({ name }))
    const server = await openWireServer({ answers: [{ calls, faulty: true }, 'Done.'] })
    await run(server.url, workspace)
    expect(server.requests).toHaveLength(2)
    expect(server.violations).toEqual([])
    expect(read).toBe(1)
    const refused = (await workspace.entries()).flatMap(({ event }) =>
      event.type === 'command.refused' ? event.subject : [],
    )
    expect(refused).toHaveLength(MADE_UP.length)
    await workspace.close()
    await server.close()
  },
)

test.each(
  CLIENT_DRIVERS.flatMap((driver) =>
    ['shop/shop.pay', 'skill:shop/shop.pay'].map((called) => ({ ...driver, called })),
  ),
)(
  '$name: a call of $called that a person approved is made, whatever form its name has in the history',
  async ({ called, options, converse }) => {
    let paid = 0
    const pay = defineTool({
      name: 'shop.pay',
      description: 'Pays.',
      category: 'action',
      requiresConfirmation: true,
      execute: () => (paid += 1),
    })
    const skill = defineSkill({ name: 'shop', description: 'Pays.', tools: [pay] })
    const catalog = await createCatalog({ skills: [skill] })
    const workspace = await VirtualWorkspace.open({ catalog, ...options })
    await workspace.activateSkill('shop')
    const server = await openWireServer({
      answers: [{ calls: [{ name: called }], faulty: true }, 'Done.'],
    })
    const conversation = converse(server.url, {})
    const { signal } = new AbortController()
    await conversation.turn(workspace, 'Pay.', signal)
    const [asked] = workspace.state.confirmations
    await workspace.approve(asked?.id ?? '', { by: 'user' })
    await conversation.turn(workspace, null, signal)
    expect(paid).toBe(1)
    expect(server.requests).toHaveLength(2)
    expect(server.violations).toEqual([])
    await workspace.close()
    await server.close()
  },
)
