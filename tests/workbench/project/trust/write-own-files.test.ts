import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'
import { writeOwnFiles } from '../../../../src/workbench/project/trust/write-own-files.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** A trusted project with code. */
async function trustedProject() {
  const home = await temporaryFolder({})
  const project = await temporaryFolder({ 'skills/a/code.js': 'export {}\n' })
  const store = openTrustStore({ file: join(home, 'trust.json') })
  await store.trust(project)
  return { project, store }
}

test('a trusted folder stays trusted when only files that Loadout made of it have changed', async () => {
  const { project, store } = await trustedProject()
  const lock = join(project, 'loadout.lock')
  expect(await writeOwnFiles(new Map([[lock, 'one']]), { sources: [project], store: store })).toBe(
    true,
  )
  expect((await store.check(project)).status).toBe('trusted')
  expect(await writeOwnFiles(new Map([[lock, 'one']]), { sources: [project], store: store })).toBe(
    false,
  )
  const both = new Map([
    [lock, 'two'],
    [join(project, 'loadout.manifest.json'), '{}'],
  ])
  await writeOwnFiles(both, { sources: [project], store: store })
  expect((await store.check(join(project, 'skills'))).status).toBe('trusted')
  await writeFile(lock, 'three')
  expect(await store.check(project)).toMatchObject({ status: 'changed', files: ['loadout.lock'] })
})

test('a folder that has other changes is not trusted again', async () => {
  const { project, store } = await trustedProject()
  await writeFile(join(project, 'skills/a/code.js'), 'evil()\n')
  await writeOwnFiles(new Map([[join(project, 'loadout.lock'), 'one']]), {
    sources: [project],
    store: store,
  })
  expect(await store.check(project)).toMatchObject({
    status: 'changed',
    files: ['loadout.lock', 'skills/a/code.js'],
  })
})

test('a change that comes while the files are written is not trusted with them', async () => {
  const { project, store } = await trustedProject()
  const slow = {
    ...store,
    check: async (folder: string) => {
      const answer = await store.check(folder)
      await writeFile(join(project, 'skills/a/code.js'), 'evil()\n')
      return answer
    },
  }
  await writeOwnFiles(new Map([[join(project, 'loadout.lock'), 'one']]), {
    sources: [project],
    store: slow,
  })
  expect((await store.check(project)).status).toBe('changed')
})

test('a folder that nobody trusted is not trusted, nor one in which a link has the name of the file', async () => {
  const { project, store } = await trustedProject()
  const other = await temporaryFolder({})
  await writeOwnFiles(new Map([[join(other, 'loadout.lock'), 'one']]), {
    sources: [other],
    store: store,
  })
  expect((await store.check(other)).status).toBe('untrusted')
  await mkdir(join(project, 'deep'))
  await symlink(join(project, 'skills/a/code.js'), join(project, 'deep/loadout.lock'))
  await store.trust(project)
  await writeOwnFiles(new Map([[join(project, 'deep/loadout.lock'), 'one']]), {
    sources: [project],
    store: store,
  })
  expect(await readFile(join(project, 'skills/a/code.js'), 'utf8')).toBe('one')
  expect((await store.check(project)).status).toBe('changed')
})

test('a file that is made of another folder is a change, also through a link', async () => {
  const { project, store } = await trustedProject()
  const other = await temporaryFolder({})
  await symlink(project, join(other, 'dist'))
  const texts = new Map([[join(other, 'dist/loadout.manifest.json'), '{}']])
  await writeOwnFiles(texts, { sources: [other], store })
  expect(await store.check(project)).toMatchObject({
    status: 'changed',
    files: ['loadout.manifest.json'],
  })
})
