import { expect, test } from 'vitest'
import type { OpenSession } from '../../../../src/workbench/cli/opening/open-session.ts'
import { whyReport } from '../../../../src/workbench/cli/commands/why-command.ts'
import { aTool, aWorkspace } from '../../../workspace/a-workspace.ts'

test('the explanation of a changed tool has its changed fields', async () => {
  const workspace = await aWorkspace({})
  const untrusted = { trusted: false, replace: true }
  await workspace.registerTool(aTool('fetch', { risk: 'safe' }), untrusted)
  const report = () => whyReport('fetch', null, { workspace } as OpenSession)
  expect(await report()).not.toHaveProperty('changes')
  await workspace.registerTool(aTool('fetch', { risk: 'destructive' }), untrusted)
  expect(await report()).toMatchObject({
    status: 'changed',
    changes: [{ field: 'risk', what: 'value', before: 'safe', after: 'destructive' }],
  })
})
