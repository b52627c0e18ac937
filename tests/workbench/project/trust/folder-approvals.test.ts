import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCatalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { openApprovals } from '../../../../src/workbench/project/trust/folder-approvals.ts'
import {
  APPROVED,
  approvalStoreContract,
} from '../../../workspace/calls/approval-store-contract.ts'
import { temporaryFolder } from '../temporary-folder.ts'

async function aFolder(): Promise<string> {
  return join(await temporaryFolder(), 'loadout/approvals')
}

approvalStoreContract('disk', async () => openApprovals({ folder: await aFolder() }))

test('another process finds what was approved, and what was taken back', async () => {
  const folder = await aFolder()
  await openApprovals({ folder }).put(APPROVED)
  const other = openApprovals({ folder })
  expect(await other.list()).toEqual([APPROVED])
  await openApprovals({ folder }).remove(APPROVED)
  expect(await other.has(APPROVED)).toBe(false)
  expect(await other.list()).toEqual([])
})

test('an approval is a file that a person can read and remove, and nobody else', async () => {
  const folder = await aFolder()
  await openApprovals({ folder }).put(APPROVED)
  const [name = ''] = await readdir(folder)
  expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toEqual({ format: 1, ...APPROVED })
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test.each([
  { what: 'no JSON', text: '{' },
  { what: 'of another format', text: JSON.stringify({ format: 2, ...APPROVED }) },
  { what: 'without a hash', text: JSON.stringify({ format: 1, ...APPROVED, hash: 'yes' }) },
])('a file that is $what approves nothing, and is an error', async ({ text }) => {
  const folder = await aFolder()
  const store = openApprovals({ folder })
  await store.put(APPROVED)
  const [name = ''] = await readdir(folder)
  await writeFile(join(folder, name), text)
  await expect(store.has(APPROVED)).rejects.toMatchObject({ code: 'APPROVAL_DAMAGED' })
  expect(await store.remove(APPROVED)).toBe(true)
  expect(await store.has(APPROVED)).toBe(false)
})

test('a file under the name of another approval approves nothing', async () => {
  const folder = await aFolder()
  const store = openApprovals({ folder })
  await store.put(APPROVED)
  const [name = ''] = await readdir(folder)
  const other = { format: 1, ...APPROVED, tool: 'ship' }
  await writeFile(join(folder, name), JSON.stringify(other))
  expect(await store.has(APPROVED)).toBe(false)
})

test('a tool that was approved once for all runs unasked in the sessions of another process', async () => {
  const folder = await aFolder()
  const tool = defineTool({
    name: 'ship',
    description: 'Ships it.',
    requiresConfirmation: true,
    execute: () => 'gone',
  })
  const open = async () =>
    VirtualWorkspace.open({
      catalog: await createCatalog({}),
      metaTools: [],
      tools: [tool],
      log: createMemoryLog(),
      approvals: openApprovals({ folder }),
    })
  const first = await open()
  const asked = await first.callTool('ship', {})
  const id = asked.ok ? '' : String(asked.error.details['confirmation'])
  await first.approve(id, { by: 'user', remember: 'digest' })
  expect(await (await open()).callTool('ship', {})).toMatchObject({ ok: true, data: 'gone' })
})
