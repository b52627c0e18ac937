import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { importModule } from '../../../../src/workbench/project/trust/import-module.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const CHILD = fileURLToPath(new URL('./import-in-child.ts', import.meta.url))

test.each(['.git/handler.js', 'tools/t/handler.js'])(
  "a module in Git's own data is not imported, which may change under the trust of its folder: %s",
  async (path) => {
    const folder = await temporaryFolder({
      '.git/handler.js': 'export const execute = () => 1',
      'tools/t/doc.md': '',
    })
    await symlink('../../.git/handler.js', join(folder, 'tools/t/handler.js'))
    expect(await importModule(folder, join(folder, path))).toEqual({
      ok: false,
      message: "it is in Git's own data, which no trust covers",
    })
  },
)

test.each([
  { imports: 'import "../../.git/x.js"', file: 'handler.js' },
  { imports: 'await import("../../.git/x.js")', file: 'handler.ts' },
  { imports: 'import "../../lib/again.js"', file: 'handler.mts' },
  { imports: 'import "../../linked/x.js"', file: 'handler.mjs' },
  { imports: 'require("../../.git/x.js")', file: 'handler.cjs' },
])(
  "a module of a trusted folder cannot import one in Git's own data: $imports",
  async ({ imports, file }) => {
    const folder = await temporaryFolder({
      '.git/x.js': 'globalThis.ran = true',
      'lib/again.js': 'export * from "../.git/x.js"',
      [`tools/t/${file}`]: imports,
    })
    await symlink('.git', join(folder, 'linked'))
    const message = `it imports "${join(folder, '.git/x.js')}", which is in Git's own data, which no trust covers`
    expect(await importInChild(folder, join(folder, 'tools/t', file))).toEqual({
      outcome: { ok: false, message },
      ran: false,
    })
  },
)

test('a module of a trusted folder can import a file that is ignored, or named like the data of Git', async () => {
  const folder = await temporaryFolder({
    '.gitignore': 'x.js',
    'inner/.git/x.js': 'globalThis.ran = true',
    'handler.js': 'import "./inner/.git/x.js"; export const execute = 1',
  })
  expect(await importInChild(folder, join(folder, 'handler.js'))).toEqual({
    outcome: { ok: true, exports: { execute: 1 } },
    ran: true,
  })
})

async function importInChild(folder: string, path: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, folder, path])
  return JSON.parse(stdout)
}
