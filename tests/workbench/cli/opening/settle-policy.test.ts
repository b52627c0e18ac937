import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createCatalog, VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { settlePolicy } from '../../../../src/workbench/cli/opening/settle-policy.ts'
import type { CliTerminal } from '../../../../src/workbench/cli/shell/cli-context.ts'
import { aTool } from '../../../workspace/a-workspace.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const catalog = await createCatalog({ tools: [aTool('send_mail'), aTool('read')] })

/** A host that keeps its session open, in a folder with a project of another configuration. */
async function aHost(config: object | null) {
  const cwd = await temporaryFolder({
    ...(config && { 'loadout.config.json': JSON.stringify({ skills: ['skills'], ...config }) }),
    'skills/alpha/SKILL.md': skillText('alpha'),
    ...toolTree('skills/alpha/tools/echo'),
  })
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const host = await VirtualWorkspace.open({
    catalog,
    log,
    session: 's',
    policy: { permissions: { deny: ['send_mail'], ask: ['read'] } },
  })
  onTestFinished(async () => {
    await host.close()
    await log.close()
  })
  const command = (...argv: string[]) =>
    runCommand([...argv, 'skills', '--log', 'run.sqlite', '--session', 's', '--trust'], { cwd })
  /** The policy that the host has after its next command. */
  const policy = async () => {
    await host.beginTurn()
    return host.state.policy
  }
  return { host, command, policy }
}

const looser = { permissions: { deny: [], ask: [] } }

test.each([
  { config: looser },
  { config: { permissions: {} } },
  { config: {} },
  { config: null },
  { config: { permissions: { allow: ['*'], allowedTools: 'pre-approve' } } },
  { config: { modes: { text: { callsPerTurn: {} } } } },
])(
  'a command keeps the policy of a session, with the configuration $config',
  async ({ config }) => {
    const { host, command, policy } = await aHost(config)
    const before = host.state.policy
    expect(await command('activate', 'alpha')).toMatchObject({ code: 0, stderr: '' })
    expect(await command('call', 'echo')).toMatchObject({ code: 0 })
    expect(await policy()).toEqual(before)
    expect(host.explain('send_mail').status).toBe('denied')
  },
)

test('rules of the project that deny or ask are added, and the command says so', async () => {
  const { command, policy } = await aHost({ permissions: { deny: ['read'], ask: ['send_mail'] } })
  const { stderr } = await command('activate', 'alpha')
  expect(stderr).toContain(
    'Rules were added to the policy of the session, which now denies "read"; asks first for "send_mail".',
  )
  expect(await policy()).toMatchObject({ deny: ['send_mail', 'read'], ask: ['read', 'send_mail'] })
})

test('a command registers no tool in the session of a host that did not register it', async () => {
  const { host, command } = await aHost(null)
  const before = host.tools().map(({ name }) => name)
  const { seq } = host.state
  const tools = async () => {
    await host.beginTurn()
    return host.tools().map(({ name }) => name)
  }
  await command('call', 'read')
  expect(await tools()).toEqual(before)
  const events = (await host.entries(seq + 1)).map(({ event }) => event.type)
  expect(events).not.toContain('source.opened')
})

test('without a terminal, rules are replaced only with --lift, after what is lifted was printed', async () => {
  const { command, policy } = await aHost(looser)
  const refused = await command('activate', 'alpha', '--policy', 'replace')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatchInlineSnapshot(`
    "With the rules of this project, the session
    - no longer denies "send_mail"
    - no longer asks first for "read"
    loadout: Lifting rules of a session has to be confirmed.
    Confirm it with --lift.
    "
  `)
  expect(await policy()).toMatchObject({ deny: ['send_mail'], ask: ['read'] })

  const lifted = await command('activate', 'alpha', '--policy', 'replace', '--lift')
  expect(lifted.code).toBe(0)
  expect(lifted.stderr).toContain('no longer denies "send_mail"')
  expect(await policy()).toMatchObject({ deny: [], ask: [] })
})

test('replacing lifts nothing that the configuration does not name', async () => {
  const { host, command, policy } = await aHost({ permissions: {} })
  const before = host.state.policy
  const { code, stderr } = await command('activate', 'alpha', '--policy', 'replace')
  expect(code).toBe(0)
  expect(stderr).toMatchInlineSnapshot(`
    "This project has no permissions, so there is nothing to replace, and the session keeps its rules.
    "
  `)
  expect(await policy()).toEqual(before)
})

test('replacing rules with the same ones says that nothing is lifted', async () => {
  const { command } = await aHost({ permissions: { deny: ['send_mail'], ask: ['read'] } })
  expect(await command('activate', 'alpha', '--policy', 'replace')).toMatchObject({
    code: 0,
    stderr: 'The rules of this project lift nothing of the session.\n',
  })
})

test.each([
  { argv: ['activate', 'alpha', '--mode', 'voice'], message: 'is in the mode "text"' },
  { argv: ['tools', '--mode', 'voice'], message: 'is in the mode "text"' },
  { argv: ['activate', 'alpha', '--lift'], message: '--lift needs --policy replace' },
])('$argv is wrong usage for the session of a host', async ({ argv, message }) => {
  const { command, policy } = await aHost(looser)
  const { code, stderr } = await command(...argv)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  expect(await policy()).toMatchObject({ mode: 'text' })
})

test.each([
  { answer: 'y', agreed: true },
  { answer: 'YES', agreed: true },
  { answer: 'n', agreed: false },
  { answer: '', agreed: false },
])(
  'on a terminal, "$answer" to the question replaces the rules: $agreed',
  async ({ answer, agreed }) => {
    const { host } = await aHost(null)
    const stdin = new PassThrough()
    const stderr = new PassThrough()
    const terminal = { stdin, stdout: stderr, stderr } as unknown as CliTerminal
    const project: WorkspaceOptions['policy'] = { ...looser, onResume: 'tighten' }
    const stored = { stored: await host.entries(), where: {} }
    stdin.write(`${answer}\n`)
    const settled = settlePolicy(project, stored, { policy: 'replace' }, { terminal, stderr })
    if (agreed) expect(await settled).toMatchObject({ onResume: 'replace' })
    else await expect(settled).rejects.toMatchObject({ code: 'POLICY_KEPT' })
    expect(String(stderr.read())).toContain('no longer denies "send_mail"')
  },
)
