import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importModule } from '../../../src/project/trust/import-module.ts'
import { temporaryFolder } from '../temporary-folder.ts'

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
