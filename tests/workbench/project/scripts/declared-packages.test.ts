import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { aScriptedSkill } from './a-scripted-skill.ts'

const has = (program: string) => {
  try {
    execFileSync(program, ['--version'])
    return true
  } catch {
    return false
  }
}

const hasPython = has('python3')

const hasUv = has('uv')

const DECLARED = '# /// script\n# dependencies = []\n# ///\n'

/** A PATH with the programs of the system and a `uv` that says how it was started. */
async function pathWithUv(): Promise<string> {
  const folder = await temporaryFolder({ uv: '#!/bin/sh\necho "uv $1 $2 $(basename "$3") $4"\n' })
  await chmod(join(folder, 'uv'), 0o755)
  return `${folder}:/usr/bin:/bin`
}

test.for([
  { name: 'a.py', text: `${DECLARED}print(1)\n` },
  { name: 'a.py', text: `#!/usr/bin/env -S uv run --script\n${DECLARED}print(1)\n` },
  { name: 'tool', text: `#!/usr/bin/env -S uv run --script\n${DECLARED}print(1)\n` },
])('a script that declares its packages is run by uv: $name', async ({ name, text }) => {
  const set = { PATH: await pathWithUv() }
  const { run } = await aScriptedSkill({ [name]: text }, { environment: { set } })
  const ran = await run(name, { given: ['x'] })
  expect(ran).toMatchObject({ exitCode: 0, stdout: `uv run --script ${name} x\n` })
})

test('a script that declares nothing is not run by uv', async ({ skip }) => {
  skip(!hasPython, 'python3 is missing')
  const { run } = await aScriptedSkill(
    { 'a.py': '# script: /// script\nprint(2)\n' },
    { environment: { set: { PATH: `${await pathWithUv()}:${process.env['PATH'] ?? ''}` } } },
  )
  expect(await run('a.py')).toMatchObject({ exitCode: 0, stdout: '2\n' })
})

test('without uv, python3 runs it, and a failure says what is missing', async ({ skip }) => {
  skip(!hasPython || hasUv, 'python3 is missing, or uv is there')
  const { run } = await aScriptedSkill({
    'fine.py': `${DECLARED}print(3)\n`,
    'wrong.py': `${DECLARED}import not_there\n`,
  })
  const fine = await run('fine.py')
  expect(fine).toMatchObject({ exitCode: 0, stdout: '3\n' })
  expect(fine).not.toHaveProperty('notice')
  expect(await run('wrong.py')).toMatchObject({
    exitCode: 1,
    notice: expect.stringContaining('"uv"') as string,
  })
})

test('uv itself runs a script with the Python that it finds', async ({ skip }) => {
  skip(!hasUv, 'uv is missing')
  const { run } = await aScriptedSkill(
    { 'a.py': `${DECLARED}print(4)\n` },
    { environment: { pass: ['PATH', 'HOME'] } },
  )
  expect(await run('a.py')).toMatchObject({ exitCode: 0, stdout: '4\n' })
})
