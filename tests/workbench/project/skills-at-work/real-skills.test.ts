import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openFolderSandbox, openMemorySandbox, type SandboxSession } from 'loadout/node'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { atWork, call } from './at-work.ts'

const CORPUS = resolve('tests/corpus')

test('skill-creator of openai/skills makes a skill in memory, which is edited and read back', async () => {
  const sandbox = await openMemorySandbox()
  const { says, workspace } = await atWork(
    join(CORPUS, 'openai+skills/skills/.system/skill-creator'),
    sandbox,
  )
  const answers = await says([
    call('loadSkill', { skillName: 'skill-creator' }),
    call('runSkillScript', {
      skillName: 'skill-creator',
      path: 'init_skill',
      arguments: ['Invoice Reader', '--path', 'made', '--resources', 'scripts,references'],
    }),
    call('Read', { file_path: 'made/invoice-reader/SKILL.md', limit: 3 }),
    call('Edit', {
      file_path: 'made/invoice-reader/SKILL.md',
      old_string: 'name: invoice-reader',
      new_string: 'name: bill-reader',
    }),
    call('Bash', { command: 'head -2 made/invoice-reader/SKILL.md; ls made/invoice-reader' }),
  ])
  expect(answers[1]).toMatchObject({ exitCode: 0 })
  expect(answers[2]?.['text']).toMatch(/^---\nname: invoice-reader\ndescription:/)
  expect(answers[4]).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^---\nname: bill-reader\nSKILL.md\nreferences\nscripts\n$/,
    ) as string,
  })
  await workspace.close()
})

test('brainstorming of obra/superpowers serves a page until it is unloaded', async () => {
  const folder = await temporaryFolder()
  const files = openFolderSandbox({ folder })
  // A sandbox that is far away: the answer waits for the file that it names.
  const sandbox: SandboxSession = {
    ...files,
    writeTextFile: async (file) => {
      if (file.path.includes('/runs/')) await setTimeout(50)
      await files.writeTextFile(file)
    },
  }
  const { says, workspace } = await atWork(
    join(CORPUS, 'obra+superpowers/skills/brainstorming'),
    sandbox,
  )
  const run = {
    skillName: 'brainstorming',
    path: 'scripts/start-server.sh',
    arguments: ['--project-dir', folder],
  }
  const [, dead] = await says([
    call('loadSkill', { skillName: 'brainstorming' }),
    call('runSkillScript', run),
  ])
  expect(dead).toMatchObject({
    exitCode: 0,
    ended: [expect.stringContaining('server.cjs')],
    notice: expect.stringContaining('stays: true') as string,
  })
  // The script gives its server five seconds: on a machine that is loaded, the model calls it again.
  let kept: Record<string, unknown> | undefined
  do [kept] = await says([call('runSkillScript', { ...run, stays: true })])
  while (kept?.['exitCode'] !== 0 && /within 5 seconds/.test(String(kept?.['stdout'])))
  expect(kept?.['running']).toContainEqual(expect.stringMatching(/server/))
  const { url, screen_dir } = JSON.parse(String(kept?.['stdout'])) as Record<string, string>
  const [, read] = await says([
    call('Write', { file_path: `${screen_dir}/one.html`, content: '<h2>Which layout?</h2>' }),
    call('Read', { file_path: String(kept?.['outputFile']) }),
  ])
  expect(read?.['text']).toContain('server-started')
  expect((await fetch(String(url))).status).toBe(200)
  await says([call('unloadSkill', { skillName: 'brainstorming' })])
  await expect.poll(() => fetch(String(url)).catch(() => 'gone')).toBe('gone')
  await workspace.close()
})
