import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineSkill } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, test } from 'vitest'
import { openSkillTrust } from '../../../src/workbench/project/open-skill-trust.ts'
import { openTrustStore } from '../../../src/workbench/project/trust/trust-store.ts'
import { textHash } from '../../../src/kernel/content-hash.ts'
import signatures from './add/signed-skill.json' with { type: 'json' }
import { skillText, temporaryFolder, toolTree, writeTree } from './temporary-folder.ts'

const TEXT = `${skillText('owls', 'license: MIT\nallowed-tools: Bash(git *)\n')}Run \`git status\`.\u202e Read [how](how.md).\n`

const FILES = {
  'skills/owls/SKILL.md': TEXT,
  'skills/owls/scripts/count.py': 'print(1)\n',
  ...toolTree('skills/owls/tools/look'),
}

async function aProject(lock?: object) {
  const root = await temporaryFolder(FILES)
  if (lock) await writeFile(join(root, 'loadout.lock'), JSON.stringify(lock))
  const trustStore = openTrustStore({ file: join(await temporaryFolder(), 'trust.json') })
  const { catalog } = await openProject([join(root, 'skills')], {
    home: null,
    project: root,
    trustStore,
  })
  const skill = catalog.skills.get('owls') ?? defineSkill({ name: 'none', description: 'None.' })
  const open = (more = {}) => openSkillTrust({ project: root, trustStore, ...more })
  const lines = async () =>
    (await open().read(skill))?.lines.map((line) => line.replace(root, '<root>')).join('\n')
  return { root, trustStore, skill, open, lines }
}

const digestOf = (path: keyof typeof FILES) => ({
  path: path.slice('skills/owls/'.length),
  digest: textHash(FILES[path] ?? ''),
  size: 1,
})

const ADDED = {
  format: 1,
  version: textHash(''),
  skills: [],
  files: [],
  added: [
    {
      name: 'owls',
      folder: 'skills/owls',
      origin: 'https://example.com/birds.git',
      path: 'night/owls',
      commit: '0a1b2c3',
      license: 'MIT',
      files: Object.keys(FILES).map((path) => digestOf(path as keyof typeof FILES)),
    },
  ],
}

test('a copied skill is described by its origin, what it brings and what is odd', async () => {
  const { lines } = await aProject(ADDED)
  expect(await lines()).toMatchInlineSnapshot(`
    "The folder of the skill "owls" is not trusted.
    Folder: <root>/skills/owls
    Origin: https://example.com/birds.git, night/owls, commit 0a1b2c3, as loadout.lock says
    Licence: MIT

    Brings
      tool look, moderate risk: Runs look.
      script scripts/count.py

    Presupposes
      shell
      git

    Asks for permissions, of which activating it grants none
      Bash(git *)

    Findings
      warning: Its text has 1 hidden character: models read them, but people do not see them.

    5 files
      SKILL.md
      scripts/count.py
      tools/look/doc_summary.md
      tools/look/handler.js
      tools/look/schema.json"
  `)
})

test('a copied skill that was changed says so', async () => {
  const { lines, root } = await aProject(ADDED)
  await writeTree(root, { 'skills/owls/more.sh': 'rm -rf /\n' })
  expect(await lines()).toContain('Changed since it was copied.')
})

test('a skill that no lock has says that its origin is unknown', async () => {
  const { lines } = await aProject()
  expect(await lines()).toContain('Origin: unknown, since no lock has it\nLicence: MIT')
})

test('the licence is that of the skill, of a file in its folder, or of the lock, which is named', async () => {
  const [added] = ADDED.added
  const signer = 'SHA256:abc'
  const locked = { ...ADDED, added: [{ ...added, license: 'Apache-2.0', signer }] }
  const { open, skill, root } = await aProject(locked)
  const { license: _, ...silent } = skill
  const said = async () => (await open().read(silent as typeof skill))?.lines.join('\n')
  expect(await said()).toContain(
    'Signed by: not by SHA256:abc, although loadout.lock says so\nLicence: Apache-2.0, as loadout.lock says',
  )
  await writeTree(root, { 'skills/owls/LICENSE.md': '\n# BSD License\u001B[2J\n' })
  expect(await said()).toContain('Licence: # BSD License<U+001B>[2J (LICENSE.md)')
  expect(await said()).not.toContain('Signed by')
})

test('a signer in the lock is shown as one only where the files have that signature', async () => {
  const { open, skill, root } = await aProject()
  const signed: Readonly<Record<string, string>> = {
    ...signatures.files,
    'loadout.sig': signatures.signatures.ed25519.signature,
  }
  await rm(join(root, 'skills/owls'), { recursive: true })
  await writeTree(join(root, 'skills/owls'), signed)
  const files = Object.entries(signed).map(([path, text]) => {
    return { path, digest: textHash(text), size: text.length }
  })
  const said = async (signer: string) => {
    const added = ADDED.added.map((one) => ({ ...one, files, signer }))
    await writeFile(join(root, 'loadout.lock'), JSON.stringify({ ...ADDED, added }))
    return (await open().read(skill))?.lines.find((line) => line.startsWith('Signed by'))
  }
  const { fingerprint } = signatures.signatures.ed25519
  expect(await said(fingerprint)).toBe(`Signed by: ${fingerprint}`)
  expect(await said('SHA256:abc')).toMatch('not by SHA256:abc')
})

test('no text of a skill hides another line, or looks like one', async () => {
  const { open, skill } = await aProject()
  const fake = 'MIT '.padEnd(90) + 'Origin: https://example.com/birds.git'
  const read = await open().read({
    ...skill,
    license: `${fake}\nFindings\r\u2028none`,
    permissions: [`Bash(${'a'.repeat(5000)})`, ...Array.from({ length: 50 }, (_, at) => `t${at}`)],
  })
  const lines = read?.lines ?? []
  expect(lines.filter((line) => line.startsWith('Licence'))).toEqual([
    `Licence: ${fake.slice(0, 60)}…`,
  ])
  expect(lines.filter((line) => line === 'Findings')).toHaveLength(1)
  expect(lines).toContain('  and 31 more')
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(310)
})

test('trust is given for what was read, and ends with a change', async () => {
  const { open, skill, root } = await aProject()
  const read = await open().read(skill)
  if (read === null) throw new Error('it is trusted')
  await writeTree(root, { 'skills/owls/more.sh': 'echo\n' })
  await expect(open().trust([read])).rejects.toMatchObject({ code: 'TRUST_CHANGED' })
  const again = await open().read(skill)
  await open().trust(again ? [again] : [])
  expect(await open().read(skill)).toBeNull()
  await writeTree(root, { 'skills/owls/more.sh': 'true\n' })
  expect((await open().read(skill))?.lines).toContain(
    'A trusted folder has changed and its code was not run: more.sh.',
  )
})

test('nothing is asked with --trust, and about a skill that is defined in code', async () => {
  const { open, skill } = await aProject()
  expect(await open({ trusted: true }).read(skill)).toBeNull()
  expect(await open().read(defineSkill({ name: 'own', description: 'Own.' }))).toBeNull()
})

test('a folder that cannot be trusted says why', async () => {
  const { open, skill } = await aProject()
  const trustStore = openTrustStore({ file: null })
  const read = await open({ trustStore }).read(skill)
  expect(read?.read).toBeNull()
  expect(read?.lines.at(-1)).toBe(
    'It cannot be trusted: There is no home folder to store trust in.',
  )
})
