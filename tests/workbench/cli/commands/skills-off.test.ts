import { readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Verdict } from '../../../../src/engine/explain/verdict.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

/** A project with two skills, a third that requires one of them, and a skill of the user. */
async function aProject() {
  const folder = await realpath(
    await temporaryFolder({
      'shop/skills/mail/SKILL.md': skillText('mail'),
      ...toolTree('shop/skills/mail/tools/send'),
      'shop/skills/notes/SKILL.md': skillText('notes'),
      'shop/skills/news/SKILL.md': skillText('news', 'metadata:\n  loadout.requires: mail\n'),
      'home/.claude/skills/own/SKILL.md': skillText('own'),
    }),
  )
  const cwd = join(folder, 'shop')
  const run = (...argv: string[]) => runCommand(argv, { cwd, home: join(folder, 'home') })
  const listed = async (...argv: string[]) => {
    const { stdout } = await run('skills', '--json', ...argv)
    const skills = JSON.parse(stdout) as { name: string; off: boolean; scope: string }[]
    return Object.fromEntries(skills.map(({ name, off, scope }) => [name, [scope, off]]))
  }
  return { cwd, run, listed, file: join(cwd, 'node_modules', 'skills-off.json') }
}

const ON = {
  mail: ['project', false],
  notes: ['project', false],
  news: ['project', false],
  own: ['user', false],
}

test('a skill that is off is not listed for models, not found, not loaded, and is back when it is on', async () => {
  const { run, listed } = await aProject()
  expect(await listed()).toEqual(ON)
  const prompt = async () => (await run('prompt')).stdout
  const found = async () => (await run('search', 'send mail')).stdout
  const before = { prompt: await prompt(), found: await found() }
  expect(before.prompt).toContain('mail')

  const { stdout, stderr } = await run('skills', '--off', 'mail', '--off', 'own')
  expect(stderr).toMatch(
    /^mail, own are off for models in this project \(kept in .*skills-off\.json\)\./v,
  )
  expect(stdout).toMatch(/^mail +off/mv)
  // Another process, later. What requires a skill that is off cannot be loaded, either.
  expect(await listed()).toEqual({
    mail: ['project', true],
    notes: ['project', false],
    news: ['project', true],
    own: ['user', true],
  })
  const text = await prompt()
  expect(text).not.toMatch(/mail|news|own\b/v)
  expect(text).toContain('notes')

  await run('skills', '--on', 'mail', '--on', 'own')
  expect(await listed()).toEqual(ON)
  expect({ prompt: await prompt(), found: await found() }).toEqual(before)
})

test('why names the file and line that turned a skill off, for its tools as well', async () => {
  const { run, file } = await aProject()
  await run('skills', '--off', 'notes', '--off', 'mail')
  const place = { file, line: 5 }
  for (const name of ['mail', 'news', 'send']) {
    const { because } = JSON.parse((await run('why', name, '--json')).stdout) as Verdict
    expect(because).toContainEqual({
      seq: 0,
      text: 'It is off for models: the policy denies loading it, by the rule: "loadSkill" with argument skillName like "mail".',
      ...place,
    })
  }
  expect((await readFile(file, 'utf8')).split('\n')[4]).toContain('"mail"')
})

test('a person can still activate it, and another project has it', async () => {
  const { run, cwd, file } = await aProject()
  await run('skills', '--off', 'mail')
  expect((await run('activate', 'mail')).stdout).toContain('### mail')
  const before = await readFile(file, 'utf8')
  await writeFile(file, before.replace(JSON.stringify(cwd), '"/elsewhere"'))
  expect((await run('skills')).stdout).not.toMatch(/^mail +off/mv)
})

test.each([
  [['--off', 'male'], 'No skill is named "male".'],
  [['--off', 'mail', '--on', 'mail'], '"mail" cannot be turned off and on.'],
])('%j is refused: %s', async (argv, message) => {
  const { run } = await aProject()
  const { stderr, code } = await run('skills', ...argv)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test('a skill that another rule turns off is not said to be on', async () => {
  const { cwd, run } = await aProject()
  const deny = [{ tool: 'loadSkill', where: { skillName: 'mail' } }]
  await writeFile(join(cwd, 'loadout.config.json'), JSON.stringify({ permissions: { deny } }))
  const { stderr, stdout } = await run('skills', '--on', 'mail', '--on', 'news', '--on', 'notes')
  expect(stderr).toContain('notes is on for models in this project.')
  expect(stderr).toContain(
    'mail, news are still off: a rule denies loading them, or a skill that they require. loadout why mail shows it.',
  )
  expect(stdout).toMatch(/^mail +off/mv)
})

test('a skill that was removed while it was off is turned on by its name', async () => {
  const { cwd, run, listed } = await aProject()
  await run('skills', '--off', 'notes')
  const skill = join(cwd, 'skills', 'notes')
  await rename(skill, join(cwd, 'notes'))
  expect((await run('skills', '--on', 'note')).stderr).toContain('No skill is named "note"')
  expect((await run('skills', '--on', 'notes')).stderr).toContain('notes is on')
  await rename(join(cwd, 'notes'), skill)
  expect(await listed()).toEqual(ON)
})

test('a damaged file is an error, and turns nothing on in silence', async () => {
  const { run, file } = await aProject()
  await run('skills', '--off', 'mail')
  await writeFile(file, '{')
  const { stderr, code } = await run('skills')
  expect(stderr).toContain(`The file "${file}" is not valid.`)
  expect(code).not.toBe(0)
})
