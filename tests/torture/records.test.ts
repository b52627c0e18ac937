import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { temporaryFolder } from '../workbench/project/temporary-folder.ts'

const MAIN = join(PROJECT, 'scripts/torture/main.ts')

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env } })

test('a record names the commit, the seed and the size of the run', async () => {
  const out = join(await temporaryFolder(), 'torture.json')
  await run(['--only', 'opens', '--scale', '0.004', '--seed', '7', '--out', out])
  const { parts } = JSON.parse(await readFile(out, 'utf8')) as { parts: readonly object[] }
  expect(parts).toEqual([
    expect.objectContaining({
      name: 'opens',
      commit: expect.stringMatching(/^\S+(?:, changed)?$/),
      seed: 7,
      scale: 0.004,
      failures: [],
    }),
  ])
})

test('code that is not committed is not recorded', async () => {
  // In a repository without a commit, every file is a change.
  const folder = await temporaryFolder()
  await promisify(execFile)('git', ['init', '--quiet', folder])
  const env = { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: PROJECT }
  const before = await readFile(join(PROJECT, 'bench/results/torture.json'), 'utf8')
  await expect(run(['--only', 'opens', '--scale', '0.004'], env)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not committed'),
  })
  expect(await readFile(join(PROJECT, 'bench/results/torture.json'), 'utf8')).toBe(before)
})
