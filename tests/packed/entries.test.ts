import { expect, test } from 'vitest'
import { installed } from './installed.ts'

test('a session runs in a project that has the package alone', async () => {
  const { node } = await installed([], {
    'agent.mjs': `
      import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
      const refund = defineTool({
        name: 'refund', description: 'Pays an order back.',
        inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
        execute: ({ order }) => ({ paid: order }),
      })
      const refunds = defineSkill({ name: 'refunds', description: 'Refunds.', instructions: 'Refund.', tools: [refund] })
      const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ skills: [refunds] }) })
      await workspace.activateSkill('refunds')
      console.log(JSON.stringify(await workspace.callTool('refund', { order: '7' })))
      await workspace.close()
    `,
  })
  const { code, stdout, stderr } = await node('agent.mjs')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { paid: '7' } })
})
