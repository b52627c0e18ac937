import { fork } from 'node:child_process'
import { rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readInside, samePath } from '../../../../src/workbench/project/walk/read-inside.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const OPTIONS = { maxBytes: 100, followLinksOut: false }

test('a file is read up to the limit and not beyond', async () => {
  const root = await temporaryFolder({ 'fits.md': 'x'.repeat(100), 'large.md': 'x'.repeat(101) })
  expect(await readInside(root, join(root, 'fits.md'), OPTIONS)).toMatchObject({ ok: true })
  expect(await readInside(root, join(root, 'large.md'), OPTIONS)).toMatchObject({
    ok: false,
    fault: { code: 'file-too-large' },
  })
})

test('a file that has no size and yet content is not read', async () => {
  expect(
    await readInside('/proc', '/proc/self/status', { maxBytes: 100, followLinksOut: true }),
  ).toMatchObject({ ok: false, fault: { code: 'file-unreadable' } })
})

test('where the system does not report it, the path must still be the file that is open', async () => {
  const root = await temporaryFolder({ 'a.md': 'a', 'b.md': 'b' })
  const open = await stat(join(root, 'a.md'))
  expect(await samePath(join(root, 'a.md'), open)).toBe(join(root, 'a.md'))
  await rm(join(root, 'a.md'))
  await symlink('b.md', join(root, 'a.md'))
  expect(await samePath(join(root, 'a.md'), open)).toBeNull()
})

test('while another process swaps a folder for a link out, nothing from outside is read', async () => {
  const outside = await temporaryFolder({ 'x.md': 'secret' })
  const root = await temporaryFolder({ 'docs/x.md': 'inside' })
  const swapper = fork(join(import.meta.dirname, '../swap-link.ts'), [join(root, 'docs'), outside])
  onTestFinished(() => void swapper.kill())
  await new Promise((resolve) => swapper.once('message', resolve))
  const seen = new Set<string>()
  for (let reading = 0; reading < 3_000 || seen.size < 2; reading += 1) {
    const outcome = await readInside(root, join(root, 'docs/x.md'), OPTIONS)
    seen.add(outcome.ok ? Buffer.from(outcome.bytes).toString() : outcome.fault.code)
  }
  expect(['inside', 'link-outside', 'file-not-found']).toEqual(expect.arrayContaining([...seen]))
})
