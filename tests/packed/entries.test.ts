import { globSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { runProgram } from '../../scripts/run-command.ts'
import { installTarball } from '../../scripts/try-package.ts'
import { homeAt, installed } from './installed.ts'

test('a session runs in a project in which npm installed the package alone', async () => {
  const folder = installTarball(inject('tarball'), [])
  await writeFile(
    join(folder, 'agent.mjs'),
    `
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
  )
  const { code, stdout, stderr } = await runProgram(process.execPath, ['agent.mjs'], {
    cwd: folder,
    env: homeAt(folder),
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { paid: '7' } })
})

test('the projects of the other tests have the packages that npm installs, and no others', async () => {
  const packages = (folder: string) =>
    globSync('**/node_modules/{*,@*/*}/package.json', { cwd: folder })
      .map((file) => dirname(file).replace(/^.*node_modules\//, ''))
      .toSorted()
  const byNpm = packages(installTarball(inject('tarball'), []))
  const { bin } = await installed([])
  expect(byNpm.length).toBeGreaterThan(5)
  expect(packages(join(dirname(bin), '../../..'))).toEqual(byNpm)
})
