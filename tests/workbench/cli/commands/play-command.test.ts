import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createCatalog, createMemoryLog, defineAgent, defineSkill, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { openSqliteLog } from 'loadout/sqlite'
import { describe, expect, test } from 'vitest'
import {
  drawsUnicode,
  keepOrDelete,
  openingRemark,
} from '../../../../src/workbench/cli/commands/play/play-on-terminal.ts'
import { main } from '../../../../src/workbench/cli/main.ts'
import { runCommand } from '../run-command.ts'
import { skillText, temporaryFolder, toolTree, type Tree } from '../../project/temporary-folder.ts'

test.each([
  [{ LC_ALL: 'C' }, false],
  [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, false],
  [{ LC_ALL: '', LANG: 'POSIX' }, false],
  [{ LC_CTYPE: 'de_DE.ISO-8859-1' }, false],
  [{ LC_ALL: 'C.UTF-8' }, true],
  [{ LANG: 'en_US.utf8' }, true],
  [{}, true],
])('with %j, signs beyond ASCII are drawn: %j', (env, draws) => {
  expect(drawsUnicode(env)).toBe(draws)
})

describe('saved sessions', () => {
  async function aScreen(createdIn: string | null, session = 'a session') {
    const log = createMemoryLog()
    const alpha = defineSkill({ name: 'alpha', description: 'Does alpha.' })
    const agent = defineAgent({ name: 'starter', initialSkills: ['alpha'] })
    const catalog = await createCatalog({ skills: [alpha], agents: [agent] })
    const workspace = await VirtualWorkspace.open({ catalog, log, session, agent: 'starter' })
    const line = (typed: Parameters<typeof keepOrDelete>[2] = { words: [], options: {} }) =>
      keepOrDelete({ createdIn, options: { log } }, workspace, typed)
    return { log, workspace, line }
  }

  test('a session in which nothing was done is deleted when its screen closes', async () => {
    const { log, line } = await aScreen('sessions.sqlite')
    expect(await line()).toBeNull()
    expect(await log.list()).toEqual([])
  })

  test('one in which something was done is kept, and the line says how to continue it', async () => {
    const { log, workspace, line } = await aScreen('sessions.sqlite')
    await workspace.deactivateSkill('alpha', { by: 'user' })
    expect(await line()).toBe(
      `The session is saved. Continue it: loadout play --session 'a session'`,
    )
    expect(await log.list()).toHaveLength(1)
  })

  test('one that existed before is always kept', async () => {
    const { log, line } = await aScreen(null)
    expect(await line()).toBeNull()
    expect(await log.list()).toHaveLength(1)
  })

  test('the line repeats the folders, the trust and the log', async () => {
    const { workspace, line } = await aScreen('sessions.sqlite', 'ada')
    await workspace.deactivateSkill('alpha', { by: 'user' })
    const options = {
      path: ['my skills'],
      log: 'postgres://ada:secret@db/chats',
      trust: true,
    } as const
    expect(await line({ words: ['bench'], options })).toBe(
      "The session is saved. Continue it: loadout play bench --path 'my skills' " +
        `--log 'postgres://ada:***@db/chats' --trust --session ada`,
    )
  })
})

describe('opening remark', () => {
  const RUN = 'export const execute = () => 1\n'

  const OWLS = { 'owls/SKILL.md': skillText('owls'), ...toolTree('owls/tools/look', RUN) }

  const BROKEN = { 'mice/SKILL.md': '---\nname: [\n---\n' }

  async function remark(root: string, trusted: boolean) {
    const project = await openProject([root], { home: null, project: root, trusted })
    const workspace = await VirtualWorkspace.open({ catalog: project.catalog })
    return openingRemark({ project, workspace, fromLog: false })
  }

  test('folders that were not searched are reported, also on stderr', async () => {
    const deep = `${'a/'.repeat(20)}SKILL.md`
    const root = await temporaryFolder({ ...OWLS, [deep]: skillText('h') })
    expect(await remark(root, true)).toBe('Some folders were not searched: too many, or too deep.')
    const { stderr } = await runCommand(['skills', '.', '--trust'], { cwd: root })
    expect(stderr).toContain('folders were not read')
  })

  test.each<{ what: string; tree: Tree; trusted: boolean; says: string }>([
    { what: 'whole and trusted', tree: OWLS, trusted: true, says: '' },
    {
      what: 'not trusted',
      tree: OWLS,
      trusted: false,
      says: '1 module not run: not trusted (use --trust or loadout trust).',
    },
    {
      what: 'broken',
      tree: { ...OWLS, ...BROKEN },
      trusted: true,
      says: '1 skill could not be loaded.',
    },
  ])('a screen on a folder that is $what begins with: $says', async ({ tree, trusted, says }) => {
    const root = await temporaryFolder(tree)
    expect(await remark(root, trusted)).toBe(says)
  })
})

describe('a page of a session', () => {
  async function aStoredSession() {
    const cwd = await temporaryFolder({ 'owls/SKILL.md': skillText('owls') })
    const skills = [defineSkill({ name: 'owls', description: 'Know owls.' })]
    const log = await openSqliteLog(join(cwd, 'run.sqlite'))
    const catalog = await createCatalog({ skills })
    const workspace = await VirtualWorkspace.open({ catalog, log, session: 'ada' })
    await workspace.activateSkill('owls', { by: 'user' })
    await workspace.close()
    await log.close()
    return {
      cwd,
      page: (...more: string[]) =>
        runCommand(['play', '.', '--log', 'run.sqlite', ...more], { cwd }),
    }
  }

  test('--snapshot html writes it, and --at ends it earlier', async () => {
    const { page } = await aStoredSession()
    const { stdout, code } = await page('--snapshot', 'html')
    expect(code).toBe(0)
    expect(stdout).toContain('<title>Loadout session ada</title>')
    expect(stdout).toContain('skill &quot;owls&quot; activated')
    const earlier = await page('--snapshot', 'html', '--at', '1')
    expect(earlier.stdout).not.toContain('skill &quot;owls&quot; activated')
  })

  test.each([['--columns', '80'], ['--keys', 'j'], ['--ascii']])(
    '%s is refused with it',
    async (...option) => {
      const { page } = await aStoredSession()
      const { code, stderr } = await page('--snapshot', 'html', ...option)
      expect(code).toBe(2)
      expect(stderr).toContain('A page has no size and no keys.')
    },
  )

  test('--web serves it, also without a terminal, until an interrupt', async () => {
    const { cwd } = await aStoredSession()
    let stdout = ''
    const interrupted = Promise.withResolvers<() => void>()
    const ended = main(['play', '.', '--log', 'run.sqlite', '--web'], {
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: () => {} },
      stdin: Readable.from([]),
      env: {},
      cwd,
      home: null,
      trustFile: join(cwd, 'trust.json'),
      isTerminal: false,
      columns: 80,
      colour: false,
      onInterrupt(listener) {
        interrupted.resolve(listener)
        return () => {}
      },
      finish: async () => {},
    })
    const interrupt = await interrupted.promise
    const [url = '', remark] = stdout.split('\n')
    expect(remark).toBe(
      'Read-only, for browsers of this machine. New entries appear. Ctrl-C ends it.',
    )
    expect(await (await fetch(url)).text()).toContain('<title>Loadout session ada</title>')
    interrupt()
    expect(await ended).toBe(0)
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })
})
