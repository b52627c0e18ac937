import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderSandbox } from '../../../src/project/sandbox/open-folder-sandbox.ts'
import { temporaryFolder } from '../temporary-folder.ts'

test('a .bashrc in the folder of a fence is not run outside of it', async () => {
  const folder = await temporaryFolder({ '.bashrc': 'echo out > "$HOME/ran"\n' })
  const environment = { pass: ['PATH'], set: { HOME: folder } }
  const sandbox = folderSandbox(
    { folder, environment },
    { wrap: async () => 'true', close: async () => {} },
  )
  const started = await sandbox.startProgram({
    command: 'true',
    arguments: [],
    environment: {},
    reads: folder,
  })
  await started.wait()
  expect(existsSync(join(folder, 'ran'))).toBe(false)
  await sandbox.run({ command: 'true' })
  expect(existsSync(join(folder, 'ran'))).toBe(false)
})
