import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scenarioDesk } from '../../../src/cli/commands/scenarios/scenario-desk.ts'
import { openSession } from '../../../src/cli/opening/open-session.ts'
import type { CliContext } from '../../../src/cli/shell/cli-context.ts'
import { openTrustStore } from '../../../src/project/trust/trust-store.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'

/** The scenarios of a project with a skill, whose session has activated it. */
async function aDesk() {
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
  const session = await openSession([cwd], options, context)
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
