import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { loadSkills, openTrustStore } from 'loadout/node'
import { expect, test, vi } from 'vitest'
import {
  skillText,
  temporaryFolder,
  type Tree,
  toolTree,
  writeTree,
} from '../project/temporary-folder.ts'
import { runCommand } from './run-command.ts'

const GIT: Tree = { 'p/.git/HEAD': 'ref: refs/heads/main\n' }

/** A home, and a project `p` in it that is a repository by default. */
async function person(tree: Tree = {}, links: Readonly<Record<string, string>> = {}, git = GIT) {
  const home = await temporaryFolder({ ...git, 'p/package.json': '{}', ...tree })
  for (const [path, target] of Object.entries(links)) {
    await mkdir(join(home, dirname(path)), { recursive: true })
    await symlink(target, join(home, path))
  }
  // Commands that read no home must know it, too: nothing in it is of a project.
  vi.stubEnv('HOME', home)
  const loadout = async (folder: string, ...argv: readonly string[]) => {
    const { code, stdout, stderr } = await runCommand(argv, { cwd: join(home, folder), home })
    return {
      code,
      stdout: stdout.replaceAll(home, '~'),
      text: `${stdout}${stderr}`.replaceAll(home, '~'),
    }
  }
  const names = async (folder: string, ...argv: readonly string[]) => {
    const { stdout } = await loadout(folder, 'skills', ...argv, '--json')
    const skills = JSON.parse(stdout) as readonly { name: string; status: string; path: string }[]
    return skills.map(({ name, status }) => (status === 'inactive' ? name : `${name}: ${status}`))
  }
  return { home, loadout, names }
}

const SECRET = { '.ssh/x/SKILL.md': skillText('x', '') + 'SECRET', '.ssh/x/key': 'SECRET' }

test.each([
  ['a link of a skill into ~/.ssh', { 'p/.claude/skills/x': '../../../.ssh/x' }],
  ['a link of a skill to ~/dotfiles', { 'p/.claude/skills/x': '../../../dotfiles/x' }],
  ['a link of all skills', { 'p/.claude/skills': '../../.ssh' }],
  ['a link of the folder of the client', { 'p/.claude': '../elsewhere' }],
  ['a chain of links', { 'p/a': 'b', 'p/b': '../.ssh', 'p/.claude/skills/x': '../../a/x' }],
  ['a link to the home', { 'p/.claude/skills/x': '../../..' }],
  ['a link to a parent of the home', { 'p/.claude/skills/x': '../../../..' }],
  ["a link into Git's own data", { 'p/skills/x': '../.git/x' }],
  ['a link of a default folder', { 'p/tools': '../.ssh', 'p/agents': '../.ssh' }],
])('%s of a project is not followed, and is named', async (_, links) => {
  const isOfGit = Object.values(links).some((target) => target.includes('.git'))
  const others: readonly Tree[] = isOfGit ? [] : [{}, { '.git/HEAD': 'ref: x\n' }]
  for (const git of [GIT, ...others]) {
    const { loadout, names } = await person(
      {
        ...SECRET,
        'dotfiles/x/SKILL.md': skillText('x') + 'SECRET',
        'elsewhere/skills/x/SKILL.md': skillText('x') + 'SECRET',
        ...(isOfGit && { 'p/.git/x/SKILL.md': skillText('x') + 'SECRET' }),
      },
      links,
      git,
    )
    expect(await names('p')).toEqual([])
    for (const command of [['doctor'], ['list'], ['why', 'x'], ['lint'], ['skills']]) {
      const { text } = await loadout('p', ...command)
      expect(text).not.toContain('SECRET')
    }
    const { text } = await loadout('p', 'lint')
    expect(text).toContain('link-outside')
    const given = await loadout(
      'p',
      'list',
      ...Object.keys(links)
        .slice(0, 1)
        .map((path) => dirname(path).slice(2) || '.'),
    )
    expect(given.text).not.toContain('SECRET')
  }
})

test('a link in a repository is followed within it only, also below a folder that is given', async () => {
  const { loadout, names } = await person(
    {
      'p/src/mend/SKILL.md': skillText('mend'),
      'p/.agents/skills/tidy/SKILL.md': skillText('tidy'),
      'p/src/group/one/SKILL.md': skillText('one'),
    },
    {
      'p/.claude/skills/mend': '../../src/mend',
      'p/.claude/skills/tidy': '../../.agents/skills/tidy',
      'p/.claude/skills/group': '../../src/group',
    },
  )
  expect(await names('p')).toEqual(['mend', 'one', 'tidy'])
  expect(await names('p', '.claude/skills')).toEqual(['mend', 'one', 'tidy'])
  const { text } = await loadout('p', 'lint')
  expect(text).not.toContain('link-outside')
  expect((await loadout('p', 'doctor')).text).toContain(
    'It is read through a link to ~/p/src/mend.',
  )
})

test('a link out that has no skill is named by skills, doctor and why', async () => {
  const { loadout } = await person(
    { 'notes/a.md': 'x', 'p/.claude/skills/a/SKILL.md': skillText('a') },
    { 'p/.claude/skills/notes': '../../../notes' },
  )
  expect((await loadout('p', 'skills')).text).toContain('notes is not read as a skill')
  for (const command of [['doctor'], ['why', 'notes']]) {
    const { text } = await loadout('p', ...command)
    expect(text).toContain('There is no SKILL.md in it.')
    expect(text).toContain('fix: rm .claude/skills/notes')
  }
})

test('what `npx skills add` leaves behind has no finding about links or names', async () => {
  const agents = {
    'p/.agents/skills/tidy/SKILL.md': skillText('tidy'),
    'p/.agents/skills/tidy/a/b.md': 'B',
  }
  const linked = { 'p/.claude/skills/tidy': '../../.agents/skills/tidy' }
  const both = await person(agents, linked)
  const alone = await person(agents)
  const findings = async ({ loadout }: typeof both) => (await loadout('p', 'lint', '--json')).stdout
  expect(await findings(both)).toBe(await findings(alone))
  expect((await both.loadout('p', 'doctor')).code).toBe(0)
})

test.each([
  ['dotfiles/x', true],
  ['work/p2/.claude/skills/x', true],
  ['.config/opencode/skills/x', true],
  ['.agents/skills/x', true],
  ['.ssh/x', false],
  ['work/.secret/x', false],
  ['.ssh/.claude/skills/x', false],
  ['.claude/x', false],
  ['../outside/x', false],
])('a link of the home to ~/%s is followed: %s', async (target, isFollowed) => {
  const { home, names, loadout } = await person({}, { '.claude/skills/x': `../../${target}` })
  const real = join(home, target)
  // A folder next to the home is that of another test: it is made below it, and moved.
  if (target.startsWith('..')) {
    await writeTree(home, { 'moved/x/SKILL.md': skillText('x') })
    await mkdir(dirname(dirname(real)), { recursive: true })
    const elsewhere = await temporaryFolder()
    await rename(join(home, 'moved'), join(elsewhere, 'outside'))
    await symlink(join(elsewhere, 'outside/x'), join(home, '.claude/skills/y'))
  } else await writeTree(home, { [`${target}/SKILL.md`]: skillText('x') })
  expect(await names('p')).toEqual(isFollowed ? ['x'] : [])
  expect(await names('p', '--follow-links-out')).toEqual(['x'])
  if (!isFollowed) expect((await loadout('p', 'why', 'x')).text).toContain('~/.claude/skills/')
})

test('below a link of the home, dot folders are not read either', async () => {
  const { names } = await person(
    { 'dotfiles/a/SKILL.md': skillText('a'), 'dotfiles/.private/b/SKILL.md': skillText('b') },
    { '.claude/skills/all': '../../dotfiles' },
  )
  expect(await names('p')).toEqual(['a'])
})

test('links that lead out are followed by an option, by a trusted configuration, and in code', async () => {
  const { home, loadout, names } = await person(
    { 'other/x/SKILL.md': skillText('x') },
    { 'p/skills/x': '../../other/x' },
  )
  expect(await names('p')).toEqual([])
  expect(await names('p', '--follow-links-out')).toEqual(['x'])
  await writeFile(join(home, 'p/loadout.config.json'), '{ "folders": { "followLinksOut": true } }')
  expect(await names('p')).toEqual([])
  const { text } = await loadout('p', 'skills', '--verbose')
  expect(text).toContain('folders.followLinksOut, which has no effect: its folder is not trusted')
  expect(await names('p', '--trust')).toEqual(['x'])
  const skills = join(home, 'p/skills')
  expect((await loadSkills(skills)).skills).toEqual([])
  expect((await loadSkills(skills, { followLinksOut: true })).skills).toHaveLength(1)
})

test('code behind a link runs only where its folder is trusted, and a change of it ends that', async () => {
  const { home, loadout } = await person(
    { 'p/src/x/SKILL.md': skillText('x'), ...toolTree('p/src/x/tools/go') },
    { 'p/.claude/skills/x': '../../src/x' },
  )
  const call = () =>
    loadout('p', 'call', 'go', '--args-json', '{"text":"a"}', '--activate', 'x', '--yes')
  expect((await call()).text).toContain('not trusted')
  expect(await loadout('p', 'trust', '.', '--all')).toMatchObject({ code: 0 })
  expect((await call()).text).toContain('echoed')
  await writeFile(join(home, 'p/src/x/tools/go/more.js'), '1')
  expect((await call()).text).toContain('Read what changed')
})

test('what a link leads to is in the digest of the trusted folder', async () => {
  const { home } = await person(
    { 'p/src/x/SKILL.md': skillText('x') },
    { 'p/.claude/skills/x': '../../src/x' },
  )
  const store = openTrustStore({ file: join(home, 'trust.json') })
  const folder = join(home, 'p/.claude/skills')
  await store.trust(folder)
  await writeFile(join(home, 'p/src/x/more.js'), '1')
  expect(await store.check(folder)).toMatchObject({ status: 'changed', files: ['x/more.js'] })
})

test('skills of parents are read up to the root of the repository, nearest first', async () => {
  const at = (name: string, text: string) =>
    `---\nname: ${name}\ndescription: ${text}.\n---\n\n# X\n`
  const { home, loadout, names } = await person({
    'p/apps/web/.claude/skills/near/SKILL.md': at('near', 'Nearest'),
    'p/apps/.claude/skills/near/SKILL.md': at('near', 'Farther'),
    'p/.agents/skills/root-rule/SKILL.md': at('root-rule', 'Of the root'),
    'p/skills/plain/SKILL.md': at('plain', 'Plain'),
    '.claude/skills/mine/SKILL.md': at('mine', 'Of the home'),
    'skills/no/SKILL.md': at('no', 'Above the repository'),
  })
  expect(await names('p/apps/web')).toEqual([
    'mine',
    'near',
    'plain',
    'root-rule',
    'near: shadowed',
  ])
  const listed = await loadout('p/apps/web', 'list', '--verbose')
  expect(listed.text).toContain('Nearest')
  expect(listed.text.match(/duplicate-skill|same name|already/g)?.length ?? 0).toBeLessThan(2)
  await writeFile(
    join(home, 'p/apps/web/loadout.config.json'),
    '{ "folders": { "parents": false } }',
  )
  expect(await names('p/apps/web')).toEqual(['mine', 'near'])
  expect((await loadout('p/apps/web', 'why', 'root-rule')).text).toContain(
    '"folders": { "parents": true }',
  )
})

test('a build, a lock and a lint are of the current folder alone', async () => {
  const { loadout } = await person({
    'p/skills/top/SKILL.md': skillText('top'),
    'p/apps/web/skills/own/SKILL.md': skillText('own'),
  })
  expect((await loadout('p/apps/web', 'lint', '--json')).stdout).not.toContain('top')
  expect((await loadout('p/apps/web', 'lock')).text).toContain('Locked: 1 skill')
  expect((await loadout('p/apps/web', 'build')).text).not.toContain('top')
})

test.each([
  ['without a repository', {}, 'p/apps/web'],
  ['in a repository that is the home', { '.git/HEAD': 'ref: x\n' }, 'p/apps/web'],
  ['in a repository in the repository', { ...GIT, 'p/apps/web/.git': 'gitdir: x\n' }, 'p/apps/web'],
])('%s, only the working folder is read', async (_, git, folder) => {
  const { names } = await person(
    {
      'p/.claude/skills/no/SKILL.md': skillText('no'),
      'p/apps/web/.claude/skills/own/SKILL.md': skillText('own'),
    },
    {},
    git,
  )
  expect(await names(folder)).toEqual(['own'])
})

test.skipIf(process.getuid?.() !== 0)(
  'a repository that another user made above is none',
  async () => {
    const { chown } = await import('node:fs/promises')
    const { home, names } = await person({
      'p/.claude/skills/no/SKILL.md': skillText('no'),
      'p/web/.claude/skills/own/SKILL.md': skillText('own'),
    })
    expect(await names('p/web')).toEqual(['no', 'own'])
    await chown(join(home, 'p/.git'), 12_345, 12_345)
    expect(await names('p/web')).toEqual(['own'])
    await chown(join(home, 'p/.git'), 0, 0)
    await chown(join(home, 'p'), 12_345, 12_345)
    expect(await names('p/web')).toEqual(['own'])
  },
)

test('code of a parent runs only where the parent is trusted', async () => {
  const { loadout } = await person({
    'p/skills/x/SKILL.md': skillText('x'),
    ...toolTree('p/skills/x/tools/go'),
    'p/web/y.txt': '',
  })
  const call = () =>
    loadout('p/web', 'call', 'go', '--args-json', '{"text":"a"}', '--activate', 'x', '--yes')
  expect((await call()).text).toContain('not trusted')
  await loadout('p/web', 'trust', '..', '--all')
  expect((await call()).text).toContain('echoed')
})

test('where no skill is found, the folders that were looked at are listed', async () => {
  const { loadout } = await person({ 'p/.github/skills/a/SKILL.md': skillText('a') })
  const { text } = await loadout('p', 'list')
  expect(text).toContain('no skills were found in .agents/skills, .claude/skills, ')
  expect(text).toContain('~/.loadout/skills.')
  expect(text).toContain('.github/skills, of other clients, is not searched.')
  const others = { 'p/.github/skills/a/SKILL.md': '', 'p/.codex/skills/b/SKILL.md': '' }
  const { loadout: beside } = await person({ ...others, 'p/skills/c/SKILL.md': skillText('c') })
  const said = '.codex/skills, .github/skills, of other clients, are not searched.'
  for (const command of ['list', 'skills']) {
    expect((await beside('p', command)).text).toContain(said)
    expect((await beside('p', command, 'skills')).text).not.toContain('of other clients')
  }
  const inside = await person({
    ...others,
    'p/.git/HEAD': 'ref: refs/heads/main\n',
    'p/web/x': '',
    '.codex/skills/d/SKILL.md': '',
  })
  const { text: fromBelow } = await inside.loadout('p/web', 'list')
  expect(fromBelow).toMatch(/p\/\.codex\/skills, \S*p\/\.github\/skills, of other clients/u)
})

test('a project of tools only is one', async () => {
  const { loadout } = await person({ ...toolTree('p/tools/go'), 'p/x': '' })
  expect((await loadout('p', 'list')).text).not.toContain('no skills')
  expect((await loadout('p', 'doctor')).code).toBe(0)
})

test('skills names what is not read, and doctor ends with 1 for a mistake', async () => {
  const { loadout } = await person(
    {
      'p/.claude/skills/patterns.md': skillText('patterns'),
      'p/.claude/skills/README.md': '# Ours\n',
    },
    { 'p/.claude/skills/far': '../../../far' },
  )
  const { text } = await loadout('p', 'skills')
  expect(text).toContain('patterns is not read as a skill; "loadout doctor" says why.')
  expect(text).not.toContain('README')
  const { text: linted } = await loadout('p', 'lint')
  expect(linted).toContain('warning skill-one-file')
  expect(await loadout('p', 'doctor')).toMatchObject({ code: 1 })
})

test('doctor prints where it looked, what was read, and what was not, with a fix', async () => {
  const { loadout } = await person(
    {
      'p/.claude/skills/kit/SKILL.md': skillText('kit'),
      'p/.claude/skills/kit/skills/memo/SKILL.md': skillText('memo'),
      'p/.github/skills/pr/SKILL.md': skillText('pr'),
      'p/src/mend/SKILL.md': skillText('mend'),
      '.claude/skills/mine/SKILL.md': skillText('mine'),
    },
    { 'p/.claude/skills/mend': '../../src/mend' },
  )
  const { code, text } = await loadout('p', 'doctor')
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "Folders, in the order in which they are read
      .agents/skills  not there
      .claude/skills  2 skills
      .loadout/skills  not there
      skills  not there
      tools  not there
      toolsets  not there
      agents  not there
      rules  not there
      ~/.agents/skills  not there
      ~/.claude/skills  1 skill
      ~/.loadout/skills  not there

    3 skills read
      kit  .claude/skills/kit/SKILL.md
      mend  .claude/skills/mend/SKILL.md  It is read through a link to ~/p/src/mend.
      mine  ~/.claude/skills/mine/SKILL.md

    Inside another skill (1)
      memo  .claude/skills/kit/skills/memo/SKILL.md
        It is inside the skill .claude/skills/kit: it is a file of that skill.
        fix: mv .claude/skills/kit/skills/memo .claude/skills/memo

    In folders of other clients (1)
      pr  .github/skills/pr/SKILL.md
        .github/skills is a folder of another client, and is not searched.
        fix: Add ".github/skills" to "skills" in loadout.config.json.

    Configuration: none. The folder is not trusted: none of its code runs.
    "
  `)
})

test('every SKILL.md of a repository is named by list or by doctor', async () => {
  const files = [
    'skills/a/SKILL.md',
    '.claude/skills/b/SKILL.md',
    '.codex/skills/c/SKILL.md',
    'plugins/kit/skills/d/SKILL.md',
    'plugins/kit/skills/d/assets/e/SKILL.md',
    'openclaw/SKILL.md',
    'openclaw/skills/f/SKILL.md',
    'templates/_template/SKILL.md',
    'apps/web/.agents/skills/g/SKILL.md',
    'docs/h/skill.md',
    'skills/deep/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/i/SKILL.md',
    'j/SKILL.MD',
  ]
  const tree = Object.fromEntries(files.map((path, at) => [`p/${path}`, skillText(`s${at}`)]))
  const { loadout } = await person({ ...tree, 'p/openclaw/SKILL.md': '# None\n' })
  const { stdout } = await loadout('p', 'doctor', '--json')
  const { read, unread } = JSON.parse(stdout) as Record<'read' | 'unread', { path: string }[]>
  const named = [...read, ...unread].map(({ path }) => path.replace('~/p/', ''))
  expect(named.sort()).toEqual([...files].sort())
})
