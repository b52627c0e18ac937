import { join } from 'node:path'
import { VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const TOOL = {
  toolId: 'wipe',
  version: '1.0.0',
  category: 'action',
  requiresConfirmation: true,
  description: 'Wipe everything.',
  parameters: { type: 'object', properties: {} },
}

const TREE = {
  'agent/tools/wipe/schema.json': JSON.stringify(TOOL),
  'agent/tools/wipe/handler.mjs': 'export const execute = () => ({ ok: 1 })\n',
  'agent/loadout.config.json': '{"permissions":{"ask":["other"],"deny":["another"]}}',
}

/** A program of the same user that embeds the library and allows all calls of its agent. */
async function aHost(folder: string) {
  const { catalog } = await openProject([join(folder, 'agent')], { trusted: true })
  const open = async (policy: object) =>
    VirtualWorkspace.open({
      catalog,
      log: await openSqliteLog(join(folder, 'host.sqlite')),
      session: 'agent',
      policy,
    })
  return open
}

test('a command asks about the calls of a host, and the host goes on without asking', async () => {
  const folder = await temporaryFolder(TREE)
  const open = await aHost(folder)
  const host = await open({ permissions: { allow: ['*'], allowedTools: 'pre-approve' } })
  const log = ['--log', join(folder, 'host.sqlite'), '--session', 'agent']
  const call = ['call', 'wipe', 'agent', '--trust', ...log]

  const refused = await runCommand(call, { cwd: folder })
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toContain('without its rules that allow')
  expect(
    await runCommand([...call, '--yes', '--remember', 'session'], { cwd: folder }),
  ).toMatchObject({
    code: 0,
  })
  expect(await runCommand(call, { cwd: folder })).toMatchObject({ code: 0 })

  // The host that is running, and the next one, which relies on what the log has.
  expect(await host.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
  expect(host.state.policy).toMatchObject({
    allow: ['*'],
    allowedTools: 'pre-approve',
    ask: ['other'],
    deny: ['another'],
  })
  await host.close()
  const next = await open({})
  expect(await next.callTool('wipe', {}, { caller: 'model' })).toMatchObject({ ok: true })
  await next.close()
})

test('looking at the session of a host shows what the host allows, and writes nothing', async () => {
  const folder = await temporaryFolder(TREE)
  const open = await aHost(folder)
  const host = await open({ permissions: { allow: ['*'] } })
  const { seq } = host.state
  const log = ['--log', join(folder, 'host.sqlite'), '--session', 'agent']
  const look = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand([...words, ...log], { cwd: folder })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('without'),
    })
    return stdout
  }
  expect(await look('why', 'wipe', 'agent', '--trust')).toContain('lets it run without asking')
  await look('replay', 'agent')
  await look('play', 'agent', '--trust', '--snapshot', 'text')
  expect(await host.entries()).toHaveLength(seq + 1)
  await host.close()
})
