import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
import { openSqliteLog } from 'loadout/sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

const clock = (description: string) => defineTool({ name: 'clock', description, execute: () => 1 })

/** A recorded session: the cache of its provider had nothing of its second request, and its third one changed. */
async function recorded(): Promise<{ readonly folder: string; readonly log: readonly string[] }> {
  const folder = await temporaryFolder({})
  const file = join(folder, 'run.sqlite')
  const log = await openSqliteLog(file)
  const long = clock(`Tells the time. ${'It is exact. '.repeat(600)}`)
  const catalog = await createCatalog({ tools: [long] })
  const workspace = await VirtualWorkspace.open({
    catalog,
    log,
    session: 's',
    provider: 'openai/gpt-4.1',
    exposure: 'active',
  })
  const answers = [
    { model: 'gpt-4.1', usage: { input: 2000, cached: 0, output: 10 } },
    {
      model: 'gpt-4.1-mini',
      usage: { input: 2100, cached: 0, written: 2000, output: 10, reasoning: 4 },
    },
  ]
  for (const answer of answers) {
    await workspace.beginStep()
    await workspace.figures.report(answer)
  }
  await workspace.registerTool(clock('Changed.'), { replace: true })
  await workspace.beginStep()
  await workspace.close()
  await log.close()
  return { folder, log: ['--log', file] }
}

test('replay --losses prints what each request kept, what its provider reported, and why both differ', async () => {
  const { folder, log } = await recorded()
  const { code, stdout } = await runCommand(['replay', ...log, '--losses'], { cwd: folder })
  expect(code).toBe(0)
  expect(stdout.replaceAll(/\d+,?\d* of \d+,?\d*/gu, '# of #')).toMatchInlineSnapshot(`
    "step 1 (active): request 2,430, no request before
      reported by gpt-4.1: 2,000 input, 0 cached, 10 output
    step 2 (active): request 2,430, kept # of #
      reported by gpt-4.1-mini: 2,100 input, 0 cached, 2,000 written, 10 output, 4 reasoning
      DIFFERS (other-model): about 2,000 cached tokens were expected. gpt-4.1 answered the request before, and each model has a cache of its own.
    step 3 (active): request 26, kept # of #, lost from tools "clock" on: nothing, since a request this short is not cached
      LOST: The definition of the tool "clock" of "global" changed.
    2 answers with a report: 4,100 input tokens (predicted 4,860), 0 cached (predicted 2,430), 2,000 written, 20 output (4 reasoning); 1 difference.
    "
  `)
  const json = await runCommand(['replay', ...log, '--losses', '--json'], { cwd: folder })
  expect(JSON.parse(json.stdout)).toMatchObject({
    session: 's',
    total: { input: 4100, cached: 0 },
    steps: [
      { step: 1, deviation: null },
      { step: 2, model: 'gpt-4.1-mini', deviation: { kind: 'other-model', cached: 0 } },
    ],
  })
})
