import { join } from 'node:path'
import { createMemoryLog, defineTool, type WorkspaceOptions } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../workbench/cli/run-command.ts'
import { temporaryFolder } from '../workbench/project/temporary-folder.ts'
import { aWorkspace } from './a-workspace.ts'

const send = defineTool({
  name: 'send',
  description: 'Sends mail.',
  requiresConfirmation: true,
  inputSchema: z.object({ to: z.string(), text: z.string(), password: z.string().optional() }),
  execute: ({ to }) => to,
})

const MAIL = { to: 'ada@shop.example', text: 'Hello', password: 'hunter2-hunter2' }

/** A session of a process that asked and is gone. */
async function asked(options: Omit<WorkspaceOptions, 'catalog'> = {}, input: unknown = MAIL) {
  const log = options.log ?? createMemoryLog()
  const shared = { session: 's', log, tools: [send] }
  const first = await aWorkspace({}, { ...shared, ...options })
  await first.callTool('send', input, { caller: 'model' })
  await first.close()
  return { log, again: await aWorkspace({}, shared) }
}

test('a question keeps its arguments, redacted, for whoever answers after a restart', async () => {
  const { again, log } = await asked({ confirmations: { keepArguments: true } })
  const [question] = again.state.confirmations
  expect(question?.arguments).toEqual({ ...MAIL, password: '[redacted]' })
  expect(JSON.stringify(await log.read('s'))).not.toContain('hunter2')
  await again.approve(question?.id ?? '', { by: 'user' })
  expect(await again.callTool('send', MAIL)).toMatchObject({ ok: true, data: MAIL.to })
})

test('the rules of the session redact kept arguments, too', async () => {
  const { again } = await asked({
    confirmations: { keepArguments: true },
    redact: { secrets: ['shop.example'], keys: [] },
  })
  expect(again.state.confirmations[0]?.arguments).toEqual({
    ...MAIL,
    to: 'ada@[redacted]',
  })
})

test.each([{}, { confirmations: {} }, { confirmations: { keepArguments: false } }])(
  'without the option no arguments are stored: %o',
  async (options) => {
    const { log } = await asked(options)
    expect(JSON.stringify(await log.read('s'))).not.toContain('ada@')
  },
)

test('arguments that are too long are left out, with their size', async () => {
  const text = 'x'.repeat(20_000)
  const { again } = await asked({ confirmations: { keepArguments: true } }, { ...MAIL, text })
  const [question] = again.state.confirmations
  expect(question?.arguments).toBeUndefined()
  expect(question?.omittedBytes).toBeGreaterThan(20_000)
})

test('the command shows what is asked', async () => {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  await (await asked({ log, confirmations: { keepArguments: true } })).again.close()
  await log.close()
  const run = (...argv: string[]) => runCommand(['replay', '--log', 'run.sqlite', ...argv], { cwd })
  expect((await run()).stdout).toContain(
    'confirmation asked for a call of "send" with {"password":"[redacted]","text":"Hello","to":"ada@shop.example"}',
  )
  expect(JSON.parse((await run('--json')).stdout)).toMatchObject({
    state: { confirmations: [{ tool: 'send', arguments: { to: 'ada@shop.example' } }] },
  })
})

test.each([
  { keepArguments: true, says: 'call of "send" with {"password":"[redacted]","text":"Hello",' },
  { keepArguments: false, says: 'call of "send"; the host did not keep the arguments (' },
])('replay lists open questions, arguments kept: $keepArguments', async ({ says, ...option }) => {
  const cwd = await temporaryFolder()
  const log = await openSqliteLog(join(cwd, 'run.sqlite'))
  const { again } = await asked({ log, confirmations: option })
  const replay = () => runCommand(['replay', '--log', 'run.sqlite'], { cwd })
  expect((await replay()).stdout).toContain(`waiting for an answer: ${says}`)
  await again.deny(again.state.confirmations[0]?.id ?? '')
  expect((await replay()).stdout).not.toContain('waiting for an answer')
  await again.close()
  await log.close()
})
