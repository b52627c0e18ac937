import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openProject } from '../../../../src/workbench/project/folders/open-project.ts'
import { checkSpecification } from '../../../../src/skills/parse/check-specification.ts'
import { temporaryFolder } from '../../project/temporary-folder.ts'
import { runCommand } from '../run-command.ts'

test('the created project works with the commands that init prints', async () => {
  const cwd = await temporaryFolder()
  const { code, stdout, stderr } = await runCommand(['init', 'my agent'], { cwd })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "+ my agent/loadout.config.ts
    + my agent/scenarios/text-length.scenario.yaml
    + my agent/skills/text-length/SKILL.md
    + my agent/skills/text-length/references/limits.md
    + my agent/skills/text-length/tools/measure_text.ts

    Try it:
      loadout lint 'my agent' --trust --level native
      loadout test 'my agent' --trust
      loadout call measure_text 'my agent' --trust --activate text-length --args-json '{"text":"Short is good."}'
      loadout run 'my agent' --trust --agent editor
      loadout play 'my agent' --trust --agent editor

    --trust runs the code of the folder for one command. "loadout trust 'my agent'" trusts it until a file changes.
    "
  `)
  const lines = stdout.split('\n').filter((line) => /^ {2}loadout /.test(line))
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
    const ran = await runCommand(words.slice(1), { cwd })
    expect({ line, ...ran }).toMatchObject({ line, code: 0, stderr: '' })
  }
})

test('lint finds no problems in it', async () => {
  const cwd = await temporaryFolder()
  await runCommand(['init'], { cwd })
  const { diagnostics, catalog } = await openProject([cwd], { home: null, trusted: true })
  expect(diagnostics).toEqual([])
  const path = catalog.skills.get('text-length')?.path ?? ''
  const text = await readFile(path, 'utf8')
  expect(checkSpecification({ text, file: path, folder: 'text-length' })).toEqual([])
})

test.each([
  ['on the engine alone', []],
  ['through the AI SDK', ['--adapter', 'ai-sdk']],
  ['with Responses', ['--adapter', 'openai']],
  ['with Chat Completions', ['--adapter', 'openai-chat']],
  ['with Messages', ['--adapter', 'anthropic']],
  ['with the search without a model', ['--model', 'scripted']],
])('its scenario passes %s', async (_, options) => {
  const cwd = await temporaryFolder()
  await runCommand(['init'], { cwd })
  const { code, stdout } = await runCommand(['test', '--trust', ...options], { cwd })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'ok   a text is brought to its limit\n1 scenario, 8 expectations: all passed\n',
  })
})

test('its scenario is played in a log of SQLite, and in memory', async () => {
  const cwd = await temporaryFolder()
  await runCommand(['init'], { cwd })
  const play = ['run', '--trust', '--scenario', 'scenarios/text-length.scenario.yaml', '--json']
  for (const log of [[], ['--log', 'talk.sqlite']]) {
    const { code, stdout } = await runCommand([...play, ...log], {
      cwd,
      input: 'one\ntwo\nthree\n',
    })
    const calls = [...stdout.matchAll(/"call.ended".*"tool":"(\w+)","ok":(\w+)/gu)]
    expect({ log, code, calls: calls.map(([, tool, ok]) => `${tool} ${ok}`) }).toEqual({
      log,
      code: 0,
      calls: ['measure_text false', 'loadSkill true', 'measure_text true'],
    })
  }
})

test('if a file exists, nothing is written', async () => {
  const cwd = await temporaryFolder({ 'skills/text-length/SKILL.md': 'mine' })
  const { code, stderr } = await runCommand(['init', '--json'], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'FILES_EXIST' } })
  expect(await readdir(cwd)).toEqual(['skills'])
  expect(await readFile(join(cwd, 'skills/text-length/SKILL.md'), 'utf8')).toBe('mine')
})

test('in a package of another module type the folder gets its own package.json, or a remark', async () => {
  const cwd = await temporaryFolder({ 'package.json': '{"type":"commonjs"}' })
  const inside = await runCommand(['init', 'agent', '--json'], { cwd })
  expect(JSON.parse(inside.stdout)).toMatchObject({ remark: null })
  expect(JSON.parse(await readFile(join(cwd, 'agent/package.json'), 'utf8'))).toMatchObject({
    type: 'module',
  })
  const argv = ['call', 'measure_text', 'agent', '--trust', '--activate', 'text-length']
  const call = await runCommand([...argv, '--args-json', '{"text":"🧑‍🚀 日本"}'], { cwd })
  expect(JSON.parse(call.stdout)).toMatchObject({ characters: 4 })
  const here = await runCommand(['init'], { cwd })
  expect(here.stderr).toContain('"type": "module"')
})
