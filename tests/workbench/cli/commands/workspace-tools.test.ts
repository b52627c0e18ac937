import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

async function aProject() {
  return temporaryFolder({
    'skills/s/SKILL.md': skillText('s'),
    'skills/s/scripts/double.sh': 'read n; echo $((2 * n))\n',
  })
}

test('a script of a skill runs by the command, with trust and consent', async () => {
  const cwd = await aProject()
  const input = JSON.stringify({ skillName: 's', path: 'double.sh', stdin: '21\n' })
  const call = ['call', 'runSkillScript', 'skills', '--activate', 's', '--args-json', input]
  const asked = await runCommand(call, { cwd })
  expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('CONFIRMATION_REQUIRED') })
  const untrusted = await runCommand([...call, '--yes'], { cwd })
  expect(untrusted.stdout).toContain('script-untrusted')
  const ran = await runCommand([...call, '--yes', '--trust'], { cwd })
  expect(JSON.parse(ran.stdout)).toMatchObject({ exitCode: 0, stdout: '42\n' })
})

test('the command offers the tools of the kinds that are named', async () => {
  const cwd = await aProject()
  const listed = async (...more: string[]) =>
    (await runCommand(['tools', 'skills', '--json', ...more], { cwd })).stdout
  expect(await listed()).not.toMatch(/"Read"|"Bash"|"runSkillScript"/)
  expect(await listed('--tools', 'files')).toMatch(/"Read"/)
  expect(await listed('--tools', 'files')).not.toMatch(/"Bash"/)
  const all = await listed('--tools', 'files,shell,scripts')
  for (const name of ['Read', 'Bash', 'runSkillScript']) expect(all).toContain(`"${name}"`)
  expect(await runCommand(['tools', 'skills', '--tools', 'disk'], { cwd })).toMatchObject({
    code: 2,
  })
})

test('a file is written in the current folder when a person agrees, and in memory unasked', async () => {
  const cwd = await aProject()
  const input = JSON.stringify({ file_path: 'a.txt', content: 'new' })
  const call = ['call', 'Write', 'skills', '--tools', 'files', '--args-json', input]
  expect(await runCommand(call, { cwd })).toMatchObject({ code: 1 })
  expect(await runCommand([...call, '--yes'], { cwd })).toMatchObject({ code: 0 })
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('new')
  expect(await runCommand([...call, '--sandbox', 'memory'], { cwd })).toMatchObject({ code: 0 })
})
