import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { servePage } from '../../../src/workbench/playground/page/serve-page.ts'
import { knownSecrets } from '../../../src/workbench/cli/shell/known-secrets.ts'
import { createCatalog, defineSkill, VirtualWorkspace } from '../../../src/entries/index.ts'
import { o200kCounter } from '../../../src/entries/plan.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { temporaryFolder, toolTree } from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

/** A secret that JSON, URLs and markup escape, and a plain one. */
const env = { SERVICE_TOKEN: 'canary<1>/"zanzibar"&', OTHER_KEY: 'canary-2-zanzibar' }
const BOTH = Object.values(env).join(' and ')
const LEAK = /canary|zanzibar/u

const tree = {
  'skills/leaky/SKILL.md': `---
name: leaky
description: ${JSON.stringify(`Knows ${BOTH}.`)}
license: ${JSON.stringify(BOTH)}
metadata:
  author: ${JSON.stringify(BOTH)}
---

Say ${BOTH}.
`,
  'skills/leaky/notes.md': `Read ${BOTH}.\n`,
  ...toolTree(
    'skills/leaky/tools/tell',
    `export const execute = () => (${JSON.stringify({ told: BOTH, [BOTH]: 1 })})\n`,
  ),
  ...toolTree(
    'skills/leaky/tools/throw',
    `export const execute = () => { throw new Error(${JSON.stringify(BOTH)}) }\n`,
  ),
}

const session = ['--log', 'logs/log.sqlite', '--session', 'one']

test.each([
  ['skills'],
  ['skills', '--json'],
  ['skills', '--verbose'],
  ['list', '.'],
  ['list', '.', '--json'],
  ['show', 'skill', 'leaky', '.'],
  ['show', 'skill', 'leaky', '.', '--json'],
  ['show', 'tool', 'tell', '.'],
  ['lint', '.'],
  ['lint', '.', '--json'],
  ['search', 'knows'],
  ['prompt', '--activate', 'leaky', '--trust'],
  ['prompt', '--activate', 'leaky', '--trust', '--format', 'xml'],
  ['prompt', '--activate', 'leaky', '--trust', '--json'],
  ['tools', '--activate', 'leaky', '--trust'],
  ['why', 'tell', '--json'],
  ['why', BOTH],
  ['activate', 'leaky', '--trust', '--json'],
  ['price', '.'],
  ['doctor', '.'],
  ['call', 'tell', '--activate', 'leaky', '--trust'],
  ['call', 'tell', '--activate', 'leaky', '--trust', '--json'],
  ['call', 'throw', '--activate', 'leaky', '--trust'],
  ['play', '--activate', 'leaky', '--trust'],
  ['play', '--activate', 'leaky', '--trust', '--json'],
  ['play', '--activate', 'leaky', '--trust', '--snapshot', 'html'],
  ['play', '--activate', 'leaky', '--trust', '--snapshot', 'svg'],
  ['play', '--activate', 'leaky', '--trust', '--snapshot', 'text', '--keys', 'tab'],
  ['sessions', 'list', BOTH],
  ['diff', BOTH, '.'],
  [BOTH],
])('loadout %s prints no secret of its environment', async (...argv) => {
  const cwd = await temporaryFolder(tree)
  for (const columns of [undefined, 80]) {
    const { stdout, stderr } = await runCommand(argv, {
      cwd,
      env,
      ...(columns !== undefined && { columns }),
    })
    expect(stdout + stderr).not.toBe('')
    if (argv.includes('--json')) JSON.parse(stdout)
    expect(stdout + stderr).not.toMatch(LEAK)
  }
})

test('a conversation with loadout run keeps and sends no secret, and neither does what is exported of it', async () => {
  const cwd = await temporaryFolder(tree)
  mkdirSync(join(cwd, 'logs'))
  const call = (name: string) => [{ name, input: {} }]
  const server = await openWireServer({
    answers: [
      [{ name: 'loadSkill', input: { skillName: 'leaky' } }],
      call('tell'),
      call('throw'),
      'Done.',
    ],
  })
  const { code, stdout, stderr } = await runCommand(
    ['run', '.', '--trust', '--model', `${server.url}/v1#local`, ...session],
    { cwd, env, input: `Use ${BOTH} here.\n` },
  )
  await server.close()
  expect({ code, violations: server.violations }).toEqual({ code: 0, violations: [] })
  expect(stdout).toContain('[redacted]')
  expect(stdout + stderr).not.toMatch(LEAK)
  expect(server.requests).toHaveLength(4)
  const sent = JSON.stringify(server.requests.map(({ body }) => body))
  expect(sent).toContain('Use [redacted] and [redacted] here.')
  expect(sent).not.toMatch(LEAK)
  const files = readdirSync(join(cwd, 'logs'), { recursive: true, withFileTypes: true })
  const kept = files.filter((one) => one.isFile())
  expect(kept.map(({ name }) => name)).toContainEqual(expect.stringMatching(/\.jsonl$/u))
  for (const { parentPath, name } of kept)
    expect(readFileSync(join(parentPath, name), 'latin1')).not.toMatch(LEAK)
  for (const argv of [
    ['sessions', 'export', 'one'],
    ['sessions', 'export', 'one', '--out', 'out.jsonl'],
    ['sessions', 'show', 'one'],
    ['replay', 'one', '--as-scenario'],
  ]) {
    const shown = await runCommand([...argv, '--log', 'logs/log.sqlite'], { cwd, env })
    expect(shown.stdout + shown.stderr).not.toMatch(LEAK)
  }
  expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).not.toMatch(LEAK)
})

test('an export to a file hides the secrets of a log that somebody else wrote', async () => {
  const cwd = await temporaryFolder({})
  const { openSqliteLog } = await import('../../../src/connections/logs/sqlite/open-sqlite-log.ts')
  const log = await openSqliteLog(join(cwd, 'other.sqlite'))
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [defineSkill({ name: 'x', description: BOTH })] }),
    log,
    session: 'two',
  })
  await workspace.activateSkill('x')
  await workspace.setSummary(`So far: ${BOTH}`)
  await workspace.close()
  await log.close()
  const argv = ['sessions', 'export', 'two', '--out', 'two.jsonl', '--log', 'other.sqlite']
  expect(await runCommand(argv, { cwd, env })).toMatchObject({ code: 0 })
  const text = readFileSync(join(cwd, 'two.jsonl'), 'utf8')
  expect(text).not.toMatch(LEAK)
  expect(text).toContain('So far: [redacted]')
  expect(
    await runCommand(['sessions', 'import', 'two.jsonl', '--log', 'again.sqlite'], {
      cwd,
      env,
    }),
  ).toMatchObject({ code: 0 })
})

test('the page that is served has no secret, also as markup writes it', async () => {
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [defineSkill({ name: 'x', description: BOTH })] }),
  })
  const counter = await o200kCounter()
  const page = await servePage({ workspace, counter, redactor: knownSecrets(env) })
  const text = await (await fetch(page.url)).text()
  await page.close()
  await workspace.close()
  expect(text).toContain('[redacted]')
  expect(text).not.toMatch(LEAK)
})

test('without secrets in the environment, output stays as it is', async () => {
  const { stdout } = await runCommand(['show', 'skill', 'leaky', '.'], {
    cwd: await temporaryFolder(tree),
  })
  expect(stdout).toMatch(LEAK)
})
