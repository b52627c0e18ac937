import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scenarioDesk } from '../../../../src/workbench/cli/commands/scenarios/scenario-desk.ts'
import { openSession } from '../../../../src/workbench/cli/opening/open-session.ts'
import type { CliContext } from '../../../../src/workbench/cli/shell/cli-context.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'

/** The scenarios of a project with a skill, whose session has activated it. */
async function aDesk(id?: string) {
  const cwd = await temporaryFolder({
    'skills/alpha/SKILL.md': skillText('alpha'),
    ...toolTree('skills/alpha/tools/echo'),
  })
  const trustFile = join(await temporaryFolder({}), 'trust.json')
  const context = {
    cwd,
    trustFile,
    home: null,
    env: {},
    stdout: { write: () => true },
    stderr: { write: () => true },
    onEnd: () => {},
    isTerminal: false,
  } as unknown as CliContext
  const options = { trust: true } as const
  const log = join(cwd, 'sessions.sqlite')
  const given = id === undefined ? {} : { log, session: id }
  const session = await openSession([cwd], { ...options, ...given }, context, 'keep')
  const desk = await scenarioDesk(session, options, context)
  await session.workspace.activateSkill('alpha', { by: 'user' })
  return { cwd, desk, workspace: session.workspace, store: openTrustStore({ file: trustFile }) }
}

test('a recorded session is a scenario of its project that passes, and its folder stays trusted', async () => {
  const { cwd, desk, workspace, store } = await aDesk()
  await store.trust(cwd)
  const { file, unmet, steps } = await desk.record(workspace)
  expect({ unmet, steps }).toEqual({ unmet: [], steps: 2 })
  expect(await readFile(join(cwd, file), 'utf8')).toContain('activate: alpha')
  expect((await store.check(cwd)).status).toBe('trusted')
  expect(await desk.test()).toMatchObject([{ ok: true, lines: [] }])
  await workspace.close()
})

test('a recording never replaces one that a person has changed', async () => {
  const { cwd, desk, workspace } = await aDesk()
  const { file } = await desk.record(workspace)
  expect((await desk.record(workspace)).file).toBe(file)
  const changed = (await readFile(join(cwd, file), 'utf8')).replace('alpha', 'beta')
  await writeFile(join(cwd, file), changed)
  await desk.record(workspace)
  expect(await readdir(join(cwd, 'scenarios'))).toHaveLength(2)
  expect(await readFile(join(cwd, file), 'utf8')).toBe(changed)
  expect((await desk.test()).map(({ ok }) => ok)).toEqual([true, false])
  await workspace.close()
})

test.each(['a/../../x', '/../../x', 'a\0\u202E?*:'])(
  'a session with the id %j is recorded in the folder of scenarios',
  async (id) => {
    const { cwd, desk, workspace } = await aDesk(id)
    const { file } = await desk.record(workspace)
    expect(file).toMatch(/^scenarios.recorded-[\w-]+\.scenario\.yaml$/)
    expect(await readdir(join(cwd, 'scenarios'))).toHaveLength(1)
    await workspace.close()
  },
)

test('nothing is recorded in another folder to which a link leads', async () => {
  const { cwd, desk, workspace } = await aDesk()
  const other = await temporaryFolder({})
  await symlink(other, join(cwd, 'scenarios'))
  await expect(desk.record(workspace)).rejects.toMatchObject({ code: 'PATH_OUTSIDE' })
  expect(await readdir(other)).toEqual([])
  await workspace.close()
})
