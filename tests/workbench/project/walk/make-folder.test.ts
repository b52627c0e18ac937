import { execFile } from 'node:child_process'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../../src/workbench/project/walk/make-folder.ts'
import { temporaryFolder } from '../temporary-folder.ts'

test('a folder is made with those above it, for nobody but its user where that is asked', async () => {
  const root = await temporaryFolder({})
  makeFolder(join(root, 'a/b/c'), 0o700)
  makeFolder(join(root, 'a/b/c'))
  for (const path of ['a', 'a/b', 'a/b/c']) {
    const { mode } = await stat(join(root, path))
    expect(mode & 0o777).toBe(0o700)
  }
})

test.each([
  { what: 'a file', make: (path: string) => writeFile(path, '') },
  { what: 'a link to nothing', make: (path: string) => symlink('nowhere', path) },
])('below $what none is made', async ({ make }) => {
  const root = await temporaryFolder({})
  await mkdir(join(root, 'in'))
  await make(join(root, 'in/way'))
  expect(() => makeFolder(join(root, 'in/way/below'))).toThrow(/ENOTDIR|EEXIST|ENOENT/)
})

test.runIf(process.platform === 'linux')(
  'where a system has no room for folders, that is reported and not retried for ever',
  async () => {
    const home = await temporaryFolder({})
    const url = new URL('../../../../src/workbench/project/walk/make-folder.ts', import.meta.url)
      .href
    const code = `import(${JSON.stringify(url)}).then(({ makeFolder }) => makeFolder('/proc/x/y'))`
    const started = promisify(execFile)(process.execPath, ['-e', code], {
      cwd: home,
      timeout: 300_000,
    })
    await expect(started).rejects.toMatchObject({
      stderr: expect.stringContaining('ENOENT'),
      killed: false,
    })
  },
)
