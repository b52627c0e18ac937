import { join } from 'node:path'
import { createCatalog, defineAgent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { aTool } from '../../../workspace/a-workspace.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

const pay = aTool('pay', { requiresConfirmation: true, inputSchema: { type: 'object' } })

const catalog = await createCatalog({
  skills: [defineSkill({ name: 'refunds', description: 'Pays back.', tools: [pay] })],
  agents: [defineAgent({ name: 'clerk', initialSkills: ['refunds'] })],
})

/** A host with skills and an agent in code, whose model has made a call that a person is asked about. */
async function askingHost(tokenizer?: string) {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const host = await VirtualWorkspace.open({
    catalog,
    log,
    session: 's',
    agent: 'clerk',
    principal: { id: 'ada' },
    confirmations: { keepArguments: true },
    ...(tokenizer && { tokenCounter: { name: tokenizer, count: (text: string) => text.length } }),
  })
  onTestFinished(async () => {
    await host.close()
    await log.close()
  })
  await host.beginTurn()
  const call = async (order = '7') => {
    const response = await host.callTool('pay', { order }, { caller: 'model' })
    return response.ok ? 'ran' : response.error.details['code']
  }
  expect(await call()).toBe('confirmation-required')
  const id = host.state.confirmations[0]?.id ?? ''
  const run = (...argv: string[]) => runCommand([...argv, '--log', 'run.sqlite'], { cwd })
  return { host, call, id, run, log }
}

test.each([undefined, 'letters'])(
  'the call of a tool in code is approved in another process, with tokenizer %s',
  async (tokenizer) => {
    const { host, call, id, run, log } = await askingHost(tokenizer)
    const { seq } = host.state
    expect(await run('approve', id)).toEqual({
      code: 0,
      stdout: 'Approved: call of "pay" with {"order":"7"} in the session "s".\n',
      stderr: '',
    })
    const added = (await log.read('s', seq + 1)).map(({ event, cause }) => [event.type, cause.by])
    expect(added).toEqual([['confirmation.approved', 'user']])
    expect(await call()).toBe('ran')
    expect(await call()).toBe('confirmation-required')
  },
)

test('a call is denied in another process', async () => {
  const { call, id, run } = await askingHost()
  const { stdout } = await run('deny', id, '--json', '--session', 's')
  expect(JSON.parse(stdout)).toMatchObject({ question: id, tool: 'pay', answer: 'denied' })
  expect(await call()).toBe('confirmation-denied')
})

test('other arguments and the words of a denial are given in another process', async () => {
  const { host, call, id, run } = await askingHost()
  expect(await run('approve', id, '--input-json', '[]')).toMatchObject({ code: 2 })
  expect(await run('approve', id, '--input-json', '{"order":"8"}')).toMatchObject({ code: 0 })
  const response = await host.callTool('pay', { order: '7' }, { caller: 'model' })
  expect(response).toMatchObject({ ok: true, meta: { edited: { order: '8' } } })
  expect(await call()).toBe('confirmation-required')
  const again = host.state.confirmations[0]?.id ?? ''
  expect(await run('deny', again, '--reason', 'Ask legal first.')).toMatchObject({ code: 0 })
  expect(await host.callTool('pay', { order: '7' }, { caller: 'model' })).toMatchObject({
    error: { type: 'DENIED', message: expect.stringContaining('Ask legal first.') },
  })
  const { stdout } = await run('replay')
  expect(stdout).toContain('approved with other arguments: {"order":"8"}')
  expect(stdout).toContain('denied: Ask legal first.')
})

test('an approval is remembered for the session', async () => {
  const { call, id, run } = await askingHost()
  expect(await run('approve', id, '--remember', 'session')).toMatchObject({ code: 0 })
  expect(await call('7')).toBe('ran')
  expect(await call('8')).toBe('ran')
})

test('a question that does not wait, a session and a log that do not exist are errors', async () => {
  const { id, run } = await askingHost()
  expect(await run('approve', 'x'.repeat(32))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No confirmation with this id is pending.'),
  })
  expect(await run('approve', id, '--session', 'none')).toMatchObject({ code: 1 })
  const cwd = await temporaryFolder()
  expect(await runCommand(['deny', id, '--log', 'none.sqlite'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No log exists'),
  })
})

test('whoever answers reads the rule, its reason and what the call would do', async () => {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const isLarge = () => 'a large sum'
  const refund = aTool('refund', {
    inputSchema: { type: 'object' },
    preview: () => [{ order: 7, amount: '90 EUR' }],
  })
  const host = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [refund] }),
    log,
    session: 's',
    confirmations: { keepArguments: true },
    policy: { permissions: { ask: [{ tool: 'refund', when: isLarge }] } },
  })
  onTestFinished(async () => {
    await host.close()
    await log.close()
  })
  await host.callTool('refund', {}, { caller: 'model' })
  const id = host.state.confirmations[0]?.id ?? ''
  const replayed = await runCommand(['replay', '--log', 'run.sqlite'], { cwd })
  const lines = replayed.stdout.replaceAll(id, '<id>').split('\n')
  const at = lines.findIndex((line) => line.startsWith('waiting for an answer'))
  expect(lines.slice(at, at + 3)).toMatchInlineSnapshot(`
    [
      "waiting for an answer: call of "refund" with {} (<id>)",
      "  Asked by the rule: "refund" when isLarge says so: a large sum",
      "  - order: 7, amount: 90 EUR",
    ]
  `)
  const json = JSON.parse(
    (await runCommand(['replay', '--log', 'run.sqlite', '--json'], { cwd })).stdout,
  )
  expect(json.state.confirmations).toMatchObject([
    { asks: { because: 'a large sum' }, preview: { kind: 'list' } },
  ])
  const { stdout } = await runCommand(['approve', id, '--log', 'run.sqlite'], { cwd })
  expect(stdout).toMatchInlineSnapshot(`
    "Approved: call of "refund" with {} in the session "s".
      Asked by the rule: "refund" when isLarge says so: a large sum
      - order: 7, amount: 90 EUR
    "
  `)
})

test('the form of a running call is filled in by another process', async () => {
  const cwd = await temporaryFolder()
  await using log = await openSqliteLog(join(cwd, 'run.sqlite'), { followMs: 5 })
  const people = { type: 'integer' }
  const schema = { type: 'object', properties: { people }, required: ['people'] }
  const book = defineTool({
    name: 'book',
    description: 'Book a table.',
    execute: (_input: unknown, { elicit }) => elicit({ message: 'For how many people?', schema }),
  })
  const host = await VirtualWorkspace.open({
    catalog: await createCatalog({ tools: [book] }),
    log,
    follow: true,
    client: { elicit: () => new Promise(() => undefined) },
  })
  const call = host.callTool('book', {})
  await expect.poll(() => host.state.confirmations).toHaveLength(1)
  const id = host.state.confirmations[0]?.id ?? ''
  const replayed = await runCommand(['replay', '--json', '--log', 'run.sqlite'], { cwd })
  expect(JSON.parse(replayed.stdout)).toMatchObject({
    state: { confirmations: [{ id, elicitation: { message: 'For how many people?' } }] },
  })
  const approve = (content: string) =>
    runCommand(['approve', id, '--content-json', content, '--log', 'run.sqlite'], { cwd })
  expect(await approve('4')).toMatchObject({ code: 2 })
  expect(await approve('{}')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('/people is required') as string,
  })
  const { code, stdout } = await approve('{"people":4}')
  expect([code, stdout]).toEqual([0, expect.stringContaining('For how many people?')])
  expect(await call).toMatchObject({ ok: true, data: { content: { people: 4 } } })
  await host.close()
})
