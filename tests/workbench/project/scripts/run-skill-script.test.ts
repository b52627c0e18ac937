import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createCatalog,
  createMemoryApprovals,
  defineSkill,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { loadSkills, type ScriptRunnerOptions } from 'loadout/node'
import { expect, test } from 'vitest'
import type { Tree } from '../temporary-folder.ts'
import { aScriptedSkill } from './a-scripted-skill.ts'

const SCRIPTS = {
  'echo.mjs': 'console.log(JSON.stringify(process.argv.slice(2)))',
  'fail.sh': 'echo wrong >&2; exit 2',
  'hang.sh': 'echo started; while :; do sleep 60; done',
  'flood.sh': 'yes',
}

async function opened(
  options: Partial<WorkspaceOptions> = {},
  scripts: Tree = SCRIPTS,
  limits: Partial<ScriptRunnerOptions> = {},
) {
  const bounds = { graceMs: 50, floodBytes: 100_000, maxBytes: 200, ...limits }
  const staged = await aScriptedSkill(scripts, bounds)
  const catalog = await createCatalog({ skills: [staged.skill] })
  const workspace = await VirtualWorkspace.open({
    catalog,
    metaTools: ['loadSkill', 'runSkillScript'],
    scripts: staged.runner,
    policy: { permissions: { allow: ['runSkillScript'] } },
    ...options,
  })
  let calls = 0
  const run = (path: string, more: object = {}) =>
    workspace.callTool(
      'runSkillScript',
      { skillName: 's', path, ...more },
      { caller: 'model', call: `call-${(calls += 1)}` },
    )
  return { ...staged, workspace, run }
}

test('a session offers it only when its host asks for it, and has something to run it with', async () => {
  const { skill } = await aScriptedSkill(SCRIPTS)
  const catalog = await createCatalog({ skills: [skill] })
  const plain = await VirtualWorkspace.open({ catalog })
  expect(plain.getAvailableTools().map(({ name }) => name)).not.toContain('runSkillScript')
  await expect(
    VirtualWorkspace.open({ catalog, metaTools: ['runSkillScript'] }),
  ).rejects.toMatchObject({ code: 'SCRIPTS_MISSING' })
})

test('what the model reads of it', async () => {
  const { workspace } = await opened()
  const tool = workspace.getAvailableTools().find(({ name }) => name === 'runSkillScript')
  expect(tool).toMatchObject({ risk: 'destructive', requiresConfirmation: true, idempotent: false })
  expect(tool?.inputSchema).toMatchInlineSnapshot(`
    {
      "additionalProperties": false,
      "properties": {
        "arguments": {
          "description": "Handed to the script as they are, through no shell.",
          "items": {
            "maxLength": 8192,
            "type": "string",
          },
          "maxItems": 100,
          "type": "array",
        },
        "path": {
          "description": "Such as scripts/report.py.",
          "type": "string",
        },
        "skillName": {
          "enum": [
            "s",
          ],
          "type": "string",
        },
        "stays": {
          "description": "True for a script that starts a server: what it starts goes on until the skill is unloaded.",
          "type": "boolean",
        },
        "stdin": {
          "description": "What the script reads from its standard input.",
          "maxLength": 1000000,
          "type": "string",
        },
      },
      "required": [
        "skillName",
        "path",
      ],
      "type": "object",
    }
  `)
  expect(workspace.prompt().text).toContain(
    'Run a script that a loaded skill lists below `scripts/` with `runSkillScript`.',
  )
})

test('a person is asked first, and the run is theirs once', async () => {
  const { workspace, run } = await opened({ policy: { permissions: {} } })
  await workspace.activateSkill('s')
  const given = { arguments: ['a b'] }
  const asked = await run('scripts/echo.mjs', given)
  expect(asked).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
  const [{ id } = { id: '' }] = workspace.state.confirmations
  await workspace.approve(id)
  const other = await run('scripts/echo.mjs', { arguments: ['a c'] })
  expect(other).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
  expect(await run('scripts/echo.mjs', given)).toMatchObject({
    ok: true,
    data: { path: 'scripts/echo.mjs', exitCode: 0, stdout: '["a b"]\n', stderr: '' },
  })
  expect(await run('scripts/echo.mjs', given)).toMatchObject({ ok: false })
})

test('a skill that names the tool in its allowed-tools is asked about all the same', async () => {
  const { skill } = await aScriptedSkill(SCRIPTS)
  const greedy = { ...skill, permissions: ['runSkillScript', '*'] }
  const { workspace, run } = await opened({
    catalog: await createCatalog({ skills: [greedy] }),
    policy: { permissions: { allowedTools: 'pre-approve' } },
  })
  await workspace.activateSkill('s')
  expect(workspace.approvals.asksFirst('runSkillScript')).toBe(true)
  expect(await run('scripts/echo.mjs')).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
})

test('a script of a skill that is not loaded does not run', async () => {
  const { workspace, run } = await opened()
  expect(await run('scripts/echo.mjs')).toMatchObject({
    error: { type: 'UNAVAILABLE', details: { code: 'skill-inactive' } },
  })
  await workspace.activateSkill('s')
  expect(await run('scripts/echo.mjs')).toMatchObject({ ok: true })
  await workspace.deactivateSkill('s')
  expect(await run('scripts/echo.mjs')).toMatchObject({ ok: false })
})

test.each([
  'SKILL.md',
  'scripts/../scripts/echo.mjs',
  'scripts/echo.mjs\0.sh',
  'scripts/%65cho.mjs',
  'scripts/',
  '/bin/sh',
  '../../../../bin/sh',
  'file:///bin/sh',
  'C:\\Windows\\cmd.exe',
  '__proto__',
])('the path %j is none of its scripts', async (path) => {
  const { workspace, run } = await opened()
  await workspace.activateSkill('s')
  expect(await run(path)).toMatchObject({
    ok: false,
    error: {
      type: 'NOT_FOUND',
      details: { code: 'script-not-listed' },
      message: expect.stringContaining('Its scripts: scripts/echo.mjs, scripts/fail.sh'),
    },
  })
})

test.each([
  'echo.mjs',
  './scripts/echo.mjs',
  'scripts//echo.mjs',
  'scripts\\echo.mjs',
  'scripts/ECHO.mjs',
  'scripts/echo',
  '.claude/skills/s/scripts/echo.mjs',
])('the path %j is read as scripts/echo.mjs, also by rules', async (path) => {
  const { workspace, run } = await opened()
  await workspace.activateSkill('s')
  expect(await run(path)).toMatchObject({ ok: true, data: { path: 'scripts/echo.mjs' } })
  await workspace.setPermissions({
    deny: [{ tool: 'runSkillScript', where: { path: 'scripts/echo.mjs' } }],
  })
  expect(await run(path)).toMatchObject({ ok: false, error: { type: 'DENIED' } })
})

test.each([
  { what: 'text for a list', more: { arguments: '-rf' }, type: 'VALIDATION' },
  { what: 'a number', more: { arguments: [1] }, type: 'VALIDATION' },
  { what: 'a NUL', more: { arguments: ['a\0b'] }, type: 'VALIDATION' },
  { what: 'too many', more: { arguments: Array(101).fill('a') }, type: 'VALIDATION' },
  { what: 'one that is too long', more: { arguments: ['a'.repeat(9_000)] }, type: 'VALIDATION' },
  { what: 'a working directory', more: { cwd: '/' }, type: 'VALIDATION' },
  { what: 'an environment', more: { env: { LD_PRELOAD: 'x' } }, type: 'VALIDATION' },
])('arguments that are no list of texts are refused: $what', async ({ more, type }) => {
  const { workspace, run } = await opened()
  await workspace.activateSkill('s')
  expect(await run('scripts/echo.mjs', more)).toMatchObject({ ok: false, error: { type } })
})

test('an exit code is an answer; being ended is a failure that shows what was written', async () => {
  const { workspace, run } = await opened()
  await workspace.activateSkill('s')
  expect(await run('scripts/fail.sh')).toMatchObject({
    ok: true,
    data: { exitCode: 2, stdout: '', stderr: 'wrong\n' },
  })
  expect(await run('scripts/flood.sh')).toMatchObject({
    error: { type: 'BAD_OUTPUT', details: { reason: 'script-flooded' } },
  })
})

test('a script that hangs is ended, and what it wrote is shown', async () => {
  const { workspace, run } = await opened({}, SCRIPTS, { timeoutMs: 2_000 })
  await workspace.activateSkill('s')
  expect(await run('scripts/hang.sh')).toMatchObject({
    error: { type: 'TIMEOUT', details: { reason: 'script-timed-out', stdout: 'started\n' } },
  })
})

test('a script that changed since the session activated its skill does not run', async () => {
  const { workspace, run, folder, trust, skills } = await opened()
  await workspace.activateSkill('s')
  await writeFile(join(folder, 'fail.sh'), 'echo changed')
  expect(await run('scripts/fail.sh')).toMatchObject({
    error: { type: 'DENIED', details: { code: 'script-untrusted' } },
  })
  await trust.trust(skills)
  expect(await run('scripts/fail.sh')).toMatchObject({
    error: { type: 'CONFLICT', partialSideEffects: false, details: { code: 'script-changed' } },
  })
  expect(await run('scripts/echo.mjs')).toMatchObject({ ok: true })
})

test('a session that another process resumes after a change keeps what it activated', async () => {
  const { createMemoryLog } = await import('loadout')
  const log = createMemoryLog()
  const { workspace, folder, trust, skills, runner } = await opened({ log, session: 'one' })
  await workspace.activateSkill('s')
  await workspace.close()
  await appendFile(join(folder, 'echo.mjs'), '// later')
  await trust.trust(skills)
  const { skills: loaded } = await loadSkills([skills])
  const catalog = await createCatalog({ skills: loaded })
  const resumed = await VirtualWorkspace.open({
    catalog,
    log,
    session: 'one',
    metaTools: ['loadSkill', 'runSkillScript'],
    scripts: runner,
    policy: { permissions: { allow: ['runSkillScript'] } },
  })
  const input = { skillName: 's', path: 'scripts/echo.mjs' }
  expect(await resumed.callTool('runSkillScript', input)).toMatchObject({
    ok: false,
    error: { details: { code: 'changed' } },
  })
  await resumed.acceptSkill('s')
  expect(await resumed.callTool('runSkillScript', input)).toMatchObject({ ok: true })
})

test('a closing workspace ends its scripts', async () => {
  const { workspace, run } = await opened()
  await workspace.activateSkill('s')
  const running = run('scripts/hang.sh')
  while (workspace.state.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await workspace.close()
  expect(await running).toMatchObject({ ok: false, error: { type: 'ABORTED' } })
})

test('a skill without a folder has no scripts that run', async () => {
  const skill = defineSkill({
    name: 's',
    description: 'Does s.',
    files: [{ path: 'scripts/a.sh', text: 'true' }],
  })
  const catalog = await createCatalog({ skills: [skill] })
  const { workspace, run } = await opened({ catalog })
  await workspace.activateSkill('s')
  expect(await run('scripts/a.sh')).toMatchObject({
    error: { type: 'PERMANENT', details: { code: 'script-not-on-disk' } },
  })
})

test.each(['session', 'digest'] as const)(
  'a yes to one script is never remembered (%s), since it would be one to every script',
  async (remember) => {
    const approvals = createMemoryApprovals()
    const { workspace, run } = await opened({ policy: { permissions: {} }, approvals })
    await workspace.activateSkill('s')
    await run('scripts/echo.mjs')
    const [{ id } = { id: '' }] = workspace.state.confirmations
    expect(await workspace.approve(id, { remember })).toMatchObject({ code: 'approval-too-wide' })
    expect(workspace.state).toMatchObject({
      approvals: [],
      confirmations: [{ consent: 'pending' }],
    })
    expect(await workspace.approve(id)).toMatchObject({ ok: true })
    expect(await run('scripts/echo.mjs')).toMatchObject({ ok: true })
    expect(await run('scripts/fail.sh')).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  },
)

test('an approval store that claims one for every script is not believed', async () => {
  const approvals = { ...createMemoryApprovals(), has: async () => true }
  const { workspace, run } = await opened({ policy: { permissions: {} }, approvals })
  await workspace.activateSkill('s')
  expect(await run('scripts/echo.mjs')).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
})
