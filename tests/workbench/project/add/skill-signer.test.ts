import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillSigner } from '../../../../src/workbench/project/add/skill-signer.ts'
import { textHash } from '../../../../src/kernel/content-hash.ts'
import { runCommand } from '../../cli/run-command.ts'
import { skillText, temporaryFolder, writeTree } from '../temporary-folder.ts'
import fixture from './signed-skill.json' with { type: 'json' }

type Files = Readonly<Record<string, string>>

const SIGNED: Files = fixture.files

/** The files as they are read from a source. */
const read = (files: Files) =>
  Object.entries(files).map(([path, text]) => {
    const content = new TextEncoder().encode(text)
    return { path, content, digest: textHash(content), size: content.length }
  })

const signer = (files: Files) => skillSigner('signed', read(files))
const withSignature = (signature: string, more: Files = {}) => ({
  ...SIGNED,
  'loadout.sig': signature,
  ...more,
})

test.each(Object.entries(fixture.signatures))(
  'a signature of ssh-keygen is read: %s',
  (_, { signature, fingerprint }) => {
    if (fingerprint !== null) return expect(signer(withSignature(signature))).toBe(fingerprint)
    return expect(() => signer(withSignature(signature))).toThrow(
      /not those that loadout.sig signs/u,
    )
  },
)

const { signature } = fixture.signatures.ed25519

const CHANGES: Readonly<Record<string, Files>> = {
  'a changed file': { 'a-b': 'y' },
  'one more file': { 'b.sh': 'rm -rf' },
  'an empty signature': { 'loadout.sig': '' },
  'a cut signature': { 'loadout.sig': signature.slice(0, 120) },
  'a signature of something else': { 'loadout.sig': signature.replace('U1NIU0lH', 'U1NIU0lI') },
  'text before it': { 'loadout.sig': `x${signature}` },
}

test.each(Object.entries(CHANGES))('%s is refused, and never taken for unsigned', (_, more) => {
  expect(() => signer(withSignature(signature, more))).toThrow(
    expect.objectContaining({ code: 'SIGNATURE_INVALID' }),
  )
})

test('each byte of a signature counts, or says nothing', () => {
  const [first = '', ...rest] = signature.split('\n')
  const bytes = Buffer.from(rest.slice(0, -2).join(''), 'base64')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    const text = `${first}\n${changed.toString('base64')}\n-----END SSH SIGNATURE-----\n`
    expect(() => signer(withSignature(text))).toThrow('loadout.sig')
  }
})

test('without a signature there is no signer', () => {
  expect(signer(SIGNED)).toBeUndefined()
  expect(signer({ ...SIGNED, 'sub/loadout.sig': signature })).toBeUndefined()
})

const hasKeygen = (() => {
  try {
    execFileSync('ssh-keygen', ['-Y', 'sign'], { stdio: 'pipe' })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
  return true
})()

/** Signs a skill as docs/build.md says, with a key of this name. */
function sign(folder: string, key: string): string {
  const file = join(folder, '..', key)
  const sh = (command: string) =>
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' })
  sh(`[ -e '${file}' ] || ssh-keygen -q -t ed25519 -N '' -f '${file}'`)
  sh(
    `find . -type f ! -path ./loadout.sig -print0 | LC_ALL=C sort -z | xargs -0 sha256sum |
      ssh-keygen -q -Y sign -n loadout-skill -f '${file}' > ../sig && mv ../sig loadout.sig`,
  )
  return String(sh(`ssh-keygen -l -f '${file}.pub'`)).split(' ')[1] ?? ''
}

test.skipIf(!hasKeygen)(
  'the first signer of an added skill is recorded, and another one, or none, is refused until it is added again',
  async () => {
    const there = await temporaryFolder({
      'pdf/SKILL.md': skillText('pdf'),
      'docx/SKILL.md': skillText('docx'),
    })
    const cwd = await temporaryFolder()
    const run = (...words: string[]) => runCommand(words, { cwd })
    const ada = sign(join(there, 'pdf'), 'ada')
    const added = await run('add', there)
    expect(added.stdout).toContain(`signed by ${ada}`)
    expect(added.stdout).toContain('unsigned')
    const lock = JSON.parse(await readFile(join(cwd, 'loadout.lock'), 'utf8'))
    expect(lock.added).toMatchObject([{ name: 'docx' }, { name: 'pdf', signer: ada }])
    expect(lock.added[0]).not.toHaveProperty('signer')

    await writeTree(there, { 'pdf/new.md': 'One.' })
    expect(await run('update', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('loadout.sig'),
    })
    sign(join(there, 'pdf'), 'ada')
    expect(await run('update', '--yes')).toMatchObject({ code: 0 })
    await writeTree(there, { 'pdf/new.md': 'Two.' })
    const eve = sign(join(there, 'pdf'), 'eve')
    const refused = await run('update', '--yes', '--json')
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'SIGNER_CHANGED' } })
    await rm(join(there, 'pdf/loadout.sig'))
    const unsigned = await run('update', '--yes')
    expect(unsigned.stderr).toContain('is not signed now')
    const [fix = ''] = /add .* --force/u.exec(unsigned.stderr) ?? []
    expect(await readFile(join(cwd, '.agents/skills/pdf/new.md'), 'utf8')).toBe('One.')

    sign(join(there, 'pdf'), 'eve')
    expect((await run(...fix.split(' '))).stdout).toContain(eve)
    await rm(join(cwd, '.agents/skills/pdf'), { recursive: true })
    expect(await run('lock', '--install')).toMatchObject({ code: 0 })
    const forged = await readFile(join(cwd, 'loadout.lock'), 'utf8')
    await writeFile(join(cwd, 'loadout.lock'), forged.replace(eve, ada))
    await rm(join(cwd, '.agents/skills/pdf'), { recursive: true })
    expect((await run('lock', '--install')).stderr).toContain(`is signed by ${eve} now`)
    for (const to of ['.agents/skills', 'elsewhere']) {
      const again = await run('add', there, '--skill', 'pdf', '--to', to)
      expect(again.stderr).toContain(`is signed by ${eve} now`)
    }
  },
)

test.skipIf(!hasKeygen)(
  'a lock with another signer than that of the copy is refused, by install and update',
  async () => {
    const there = await temporaryFolder({ 'pdf/SKILL.md': skillText('pdf') })
    const cwd = await temporaryFolder()
    const run = (...words: string[]) => runCommand(words, { cwd })
    const ada = sign(join(there, 'pdf'), 'ada')
    await run('add', there)
    const file = join(cwd, 'loadout.lock')
    const lock = await readFile(file, 'utf8')
    expect(await run('lock', '--install')).toMatchObject({ code: 0 })
    const eve = `SHA256:${'e'.repeat(43)}`
    const without = lock.replace(/,\s*"signer": "[^"]*"|"signer": "[^"]*",\s*/u, '')
    for (const forged of [lock.replace(ada, eve), without]) {
      expect(forged).not.toBe(lock)
      await writeFile(file, forged)
      for (const words of [
        ['lock', '--install'],
        ['update', '--yes'],
      ]) {
        const refused = await run(...words, '--json')
        expect(JSON.parse(refused.stderr)).toMatchObject({
          error: { code: 'SIGNER_CHANGED', message: expect.stringContaining(ada) },
        })
      }
    }
    await rm(join(cwd, '.agents/skills/pdf'), { recursive: true })
    await writeFile(file, without)
    expect(await run('lock', '--install')).toMatchObject({ code: 1 })

    // An unsigned skill that a lock says is signed.
    await rm(join(there, 'pdf/loadout.sig'))
    await rm(file)
    await run('add', there, '--force')
    const unsigned = await readFile(file, 'utf8')
    await writeFile(file, unsigned.replace('"name": "pdf",', `"name": "pdf", "signer": "${ada}",`))
    expect((await run('lock', '--install')).stderr).toContain('is not signed')
  },
)
