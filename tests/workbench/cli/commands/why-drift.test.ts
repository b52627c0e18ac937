import { expect, test } from 'vitest'
import { findVerdict } from '../../../../src/workbench/report/answers/explain-name.ts'
import { aTool, aWorkspace } from '../../../workspace/a-workspace.ts'

test('the explanation of a changed tool has its changed fields', async () => {
  const workspace = await aWorkspace({})
  const untrusted = { trusted: false, replace: true }
  await workspace.registerTool(aTool('fetch', { risk: 'safe' }), untrusted)
  const report = () => findVerdict('fetch', null, workspace)
  expect(report()).not.toHaveProperty('changes')
  await workspace.registerTool(aTool('fetch', { risk: 'destructive' }), untrusted)
  expect(report()).toMatchObject({
    status: 'changed',
    changes: [{ field: 'risk', what: 'value', before: 'safe', after: 'destructive' }],
  })
})
