import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openProject } from '../../../src/project/folders/open-project.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { checkSpecification } from '../../../src/skills/parse/check-specification.ts'
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
      loadout tools 'my agent' --trust --activate text-length
      loadout call measure_text 'my agent' --trust --activate text-length --args-json '{"text":"Short is good."}'
      loadout prompt 'my agent' --trust --agent editor
      loadout play 'my agent' --trust --agent editor

    --trust runs the code of the folder for one command. "loadout trust" trusts it until a file changes.
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

interface Step {
  readonly call?: string
  readonly with?: unknown
  readonly user?: string
  readonly expect?: {
    readonly exposed?: readonly string[]
    readonly 'not-exposed'?: readonly string[]
    readonly prompt?: readonly string[]
    readonly refused?: string
    readonly ok?: boolean
    readonly data?: unknown
  }
}

test('its scenario passes, step by step', async () => {
  const cwd = await temporaryFolder()
  await runCommand(['init'], { cwd })
  const text = await readFile(join(cwd, 'scenarios/text-length.scenario.yaml'), 'utf8')
  const scenario = parse(text) as { readonly agent: string; readonly steps: readonly Step[] }
  const { catalog, config } = await openProject([cwd], { home: null, trusted: true })
  const workspace = await VirtualWorkspace.open({
    catalog,
    agent: scenario.agent,
    variables: new Map(Object.entries(config.variables)),
  })
  let checked = 0
  for (const { call, with: input, user, expect: wanted = {} } of scenario.steps) {
    if (user !== undefined) await workspace.beginTurn()
    if (call !== undefined) {
      const response = await workspace.callTool(call, input, { caller: 'model' })
      if (wanted.ok !== undefined) expect(response.ok).toBe(wanted.ok)
      if (wanted.data !== undefined) expect(response).toMatchObject({ data: wanted.data })
      if (wanted.refused !== undefined) {
        expect(response).toMatchObject({ ok: false, error: { details: { code: wanted.refused } } })
      }
      checked += 1
    }
    const names = (await workspace.beginStep()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining([...(wanted.exposed ?? [])]))
    for (const name of wanted['not-exposed'] ?? []) expect(names).not.toContain(name)
    for (const part of wanted.prompt ?? []) expect(workspace.render()).toContain(part)
  }
  expect(checked).toBe(3)
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
