import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderSandbox } from '../../../../src/workbench/project/sandbox/open-folder-sandbox.ts'
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

test('programs of a fence that are still ending are not left by a run', async () => {
  const folder = await temporaryFolder({})
  const sandbox = folderSandbox(
    { folder },
    { wrap: async (command) => `sleep 984 & ${command}`, close: async () => {} },
  )
  const started = await sandbox.startProgram({
    command: 'true',
    arguments: [],
    environment: {},
    reads: folder,
  })
  expect(await started.wait()).toEqual({ exitCode: 0, signal: null, left: [] })
})
