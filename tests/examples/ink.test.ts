import { render } from 'ink-testing-library'
import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { join } from 'node:path'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ToolScreen } from '../../examples/ink/tool-screen.ts'
import { hasTerminals, runInTerminal } from '../workbench/playground/terminal/run-in-terminal.ts'

const refund = defineTool({
  name: 'refund',
  description: 'Pay an order back.',
  category: 'action',
  inputSchema: z.object({}),
  execute: () => ({}),
})
const refunds = defineSkill({
  name: 'refunds',
  description: 'Pay customers back.',
  instructions: 'Refund it once.',
  tools: [refund],
})

test('a screen of components says what each tool is and why, and follows the session', async () => {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [refunds] }),
  })
  const { lastFrame, unmount } = render(
    createElement(ToolScreen, { workspace, width: 100, height: 8 }),
  )
  const line = () =>
    lastFrame()
      ?.split('\n')
      .find((one) => one.includes('refund '))
  expect(line()).toMatchInlineSnapshot(
    `"  refund                    skill-inactive  Skill "refunds" has not been activated since the sessi…"`,
  )
  await workspace.activateSkill('refunds')
  await expect.poll(line).toContain('available')
  expect(line()).toMatchInlineSnapshot(
    `"  refund                    available       Skill "refunds" was activated by the host."`,
  )
  unmount()
  await workspace.close()
})

test.runIf(hasTerminals)('panes of the playground in an application have its keys', async () => {
  const { left, output, ended } = await runInTerminal(
    [process.execPath, join(import.meta.dirname, '../../examples/ink/playground.ts')],
    [
      { wait: '0 of 2 active' },
      { type: 'j ' },
      { wait: '1 of 2 active' },
      { keep: 200 },
      { type: 'q' },
      { wait: 'Tools at the end: ' },
    ],
    { cwd: join(import.meta.dirname, '../..') },
  )
  expect(left).toEqual([])
  expect(output).toContain('Tools at the end: loadSkill,loadSkillFile,unloadSkill,count_stock')
  expect(ended).toEqual({ ended: 'exit', by: 0 })
})
