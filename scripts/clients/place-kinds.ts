import { type ClientCase, skillsIn } from './case-folder.ts'
import type { Kind } from './kinds.ts'
import { skillText } from './text-kinds.ts'

const BOTH = ['.claude/skills', '.agents/skills']

const OWN = [
  '.claude/skills',
  '.agents/skills',
  '.codex/skills',
  '.opencode/skills',
  '.opencode/skill',
  '.pi/skills',
]

const HOMES = [
  '.claude/skills',
  '.agents/skills',
  '.codex/skills',
  '.config/opencode/skills',
  '.config/opencode/skill',
  '.opencode/skills',
  '.pi/agent/skills',
]

/** A skill whose description says where it is. */
function skill(name: string, where = name): string {
  return skillText(`name: ${name}\ndescription: Helps with ${where}.`)
}

/** Files of skills at these paths below the folders of skills of a project. */
function at(
  paths: readonly string[],
  folders: readonly string[] = BOTH,
): Readonly<Record<string, string>> {
  return skillsIn(
    folders,
    Object.fromEntries(paths.map((path) => [path, skill(path.split('/').at(-1) ?? path)])),
  )
}

/** Kinds of places: folders, links, parents, homes, duplicates, plugins and settings. */
export const PLACE_KINDS: Readonly<Record<string, Kind>> = {
  nested: ({ some }) => ({
    what: 'Folders of skills.',
    files: at(
      some(5, [
        'top',
        'g/one',
        'g/h/two',
        'g/h/i/three',
        'g/h/i/j/four',
        'a/b/c/d/e/six',
        'a/b/c/d/e/f/seven',
        'a/b/c/d/e/f/g/eight',
        'x/top2',
      ]),
    ),
  }),
  'skill-in-skill': ({ some }) => ({
    what: 'A skill in the folder of another one.',
    files: at([
      'outer',
      ...some(3, [
        'outer/inner',
        'outer/references/example',
        'outer/skills/deep',
        'outer/assets/template/sub',
        'other/x',
        'outer/.hidden-one',
        'outer/node_modules/dep',
      ]),
    ]),
  }),
  'in-place': ({ one, some }) => ({
    what: 'A SKILL.md in the folder of skills itself.',
    files: {
      ...Object.fromEntries(
        some(one([1, 2]), BOTH).map((folder) => [
          `${folder}/SKILL.md`,
          one([skill('root'), skillText('description: No name.'), 'No header.\n']),
        ]),
      ),
      ...at(some(2, ['plain', 'g/deep', 'z'])),
    },
  }),
  'loose-files': ({ some, one }) => ({
    what: 'Files with other names.',
    files: {
      ...Object.fromEntries(
        some(5, [
          'x.md',
          'readme.md',
          's1/skill.md',
          's2/Skill.md',
          's3/SKILL.MD',
          's4/SKILL.txt',
          's5/SKILL',
          's6/SKILL.md.bak',
          's7/README.md',
          'y.markdown',
          'SKILLS.md',
          's8/skill.yaml',
        ]).flatMap((name) =>
          [one(OWN), '.pi/skills', '.claude/skills'].map((folder) => [
            `${folder}/${name}`,
            skill(`of-${name.replaceAll(/\W/g, '-')}`),
          ]),
        ),
      ),
      ...at(['good']),
    },
  }),
  'hidden-folders': ({ some }) => ({
    what: 'Folders that some clients skip.',
    files: at(
      some(5, [
        '.hidden',
        '_draft',
        'node_modules/dep',
        'template',
        'templates/t',
        '.git/x',
        'dist/y',
        '__pycache__/p',
        'g/.inner/z',
        'vendor/v',
        '.system/s',
        'archive/old',
      ]),
      [...BOTH, '.opencode/skills'],
    ),
  }),
  links: ({ some }) => ({
    what: 'Links to folders, in the project and out of it.',
    files: {
      'shared/one/SKILL.md': skill('one'),
      'shared/two/SKILL.md': skill('two'),
      'shared/group/three/SKILL.md': skill('three'),
      ...at(['real']),
    },
    home: { files: { 'dotfiles/out/SKILL.md': skill('out') } },
    links: Object.fromEntries(
      some(4, [
        ['one', '../../shared/one'],
        ['two', '{{project}}/shared/two'],
        ['again', '../../shared/one'],
        ['out', '{{home}}/dotfiles/out'],
        ['group', '../../shared/group'],
        ['lost', '../../nowhere'],
        ['loop', '.'],
        ['up', '..'],
        ['file', '../../shared/one/SKILL.md'],
      ]).flatMap(([name, target]) =>
        BOTH.map((folder) => [`${folder}/${name}`, target ?? ''] as const),
      ),
    ),
  }),
  'linked-files': ({ some }) => ({
    what: 'Links to files of skills.',
    files: {
      'shared/a.md': skill('a'),
      'shared/b/SKILL.md': skill('b'),
      ...Object.fromEntries(BOTH.map((folder) => [`${folder}/plain/SKILL.md`, skill('plain')])),
    },
    home: { files: { 'c.md': skill('c') } },
    links: Object.fromEntries(
      some(3, [
        ['a', '{{project}}/shared/a.md'],
        ['b', '../../../shared/b/SKILL.md'],
        ['c', '{{home}}/c.md'],
        ['d', '{{project}}/nowhere.md'],
        ['e', '../plain/SKILL.md'],
        ['f', '{{project}}/shared'],
      ]).flatMap(([name, target]) =>
        BOTH.map((folder) => [`${folder}/${name}/SKILL.md`, target ?? ''] as const),
      ),
    ),
  }),
  'linked-roots': ({ one }) => {
    const [folder, links] = one([
      [
        'shared/skills',
        {
          '.agents/skills': '../shared/skills',
          '.claude/skills': '../shared/skills',
          '.pi/skills': '../shared/skills',
        },
      ],
      ['.claude/skills', { '.opencode/skills': '../.claude/skills', '.agents': '.claude' }],
      [
        '.agents/skills',
        { '.opencode': '.agents', '.codex': '.agents', '.pi': '.agents', '.claude': '.agents' },
      ],
    ] as const)
    return {
      what: 'A folder of skills that is a link.',
      files: at(['x1', 'x2', 'g/x3'], [folder]),
      links,
    }
  },
  twins: ({ one, some, words }) => ({
    what: 'Two skills of one name in a project.',
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        some(3, ['a-first', 'b-second', 'twin', 'z-last']).map((folder) => [
          folder,
          skillText(`name: twin\ndescription: ${one(['Of all.', `${words(3)}.`])}`),
        ]),
      ),
    ),
  }),
  'home-twins': ({ some, one }) => ({
    what: 'Skills of one name in the home and in the project.',
    files: at(some(3, ['same', 'only-here', 'Other', 'third'])),
    home: {
      files: skillsIn(one([BOTH, ['.claude/skills', '.codex/skills', '.pi/agent/skills']]), {
        same: skill('same', 'same at home'),
        third: skill('third'),
        zz: skill('zz'),
      }),
    },
  }),
  'own-folders': ({ some }) => ({
    what: 'The folders of each client.',
    files: Object.fromEntries(
      some(4, [...OWN, '.github/skills', '.cursor/skills', 'skills', '.gemini/skills']).map(
        (folder) => [
          `${folder}/p${folder.replaceAll(/\W/g, '-')}/SKILL.md`,
          skill(`p${folder.replaceAll(/\W/g, '-')}`),
        ],
      ),
    ),
    home: {
      files: Object.fromEntries(
        some(4, [...HOMES, '.gemini/skills', '.agent/skills']).map((folder) => [
          `${folder}/h${folder.replaceAll(/\W/g, '-')}/SKILL.md`,
          skill(`h${folder.replaceAll(/\W/g, '-')}`),
        ]),
      ),
    },
  }),
  'across-folders': ({ some }) => ({
    what: 'One name in the folders of several clients.',
    files: Object.fromEntries(
      some(4, OWN).map((folder) => [`${folder}/x/SKILL.md`, skill('x', folder)]),
    ),
  }),
  parents: ({ some, one }) => ({
    what: 'Parents of the working folder, in a repository.',
    cwd: one(['packages/app', 'packages/app/src', 'packages']),
    files: Object.assign(
      {},
      ...some(3, [
        ['', 'root'],
        ['packages/', 'mid'],
        ['packages/app/', 'app'],
        ['packages/app/src/', 'src'],
        ['packages/lib/', 'lib'],
      ]).map(([folder, name]) =>
        at(
          [name ?? ''],
          [...BOTH, '.opencode/skills', '.pi/skills', '.codex/skills'].map(
            (one) => `${folder}${one}`,
          ),
        ),
      ),
    ) as Record<string, string>,
  }),
  'parent-twins': ({ one }) => ({
    what: 'One name in the root and in the working folder.',
    cwd: 'a/b',
    files: {
      ...skillsIn(BOTH, { same: skill('same', 'root'), root: skill('root') }),
      ...skillsIn(
        BOTH.map((folder) => `${one(['a', 'a/b'])}/${folder}`),
        { same: skill('same', 'near'), near: skill('near') },
      ),
    },
  }),
  'no-repository': ({ one }) => ({
    what: 'No repository.',
    git: [],
    cwd: one(['.', 'a', 'a/b']),
    files: {
      ...at(['top']),
      ...at(
        ['mid'],
        BOTH.map((folder) => `a/${folder}`),
      ),
      ...at(['low'], ['a/b/.agents/skills', 'a/b/.claude/skills', 'a/b/.codex/skills']),
    },
  }),
  'inner-repository': ({ one }) => ({
    what: 'A repository in a repository.',
    git: one([['.', 'inner'], ['inner'], ['.', 'inner', 'inner/deep']]),
    cwd: one(['inner', 'inner/deep', 'inner/other']),
    files: {
      ...at(['outer']),
      ...at(
        ['inner-one'],
        BOTH.map((folder) => `inner/${folder}`),
      ),
      ...at(
        ['deep-one'],
        BOTH.map((folder) => `inner/deep/${folder}`),
      ),
    },
  }),
  'home-only': ({ some }) => ({
    what: 'Skills of the home, and none of the project.',
    home: {
      files: Object.assign(
        {},
        ...some(3, HOMES).map((folder, index) =>
          at([`h${index}`, `g/deep${index}`, '.dot'], [folder]),
        ),
      ) as Record<string, string>,
    },
  }),
  commands: ({ some }) => ({
    what: 'Commands, which one client lists as skills.',
    files: {
      ...Object.fromEntries(
        some(4, [
          'plain.md',
          'g/inner.md',
          'g/h/deep.md',
          'boxed/SKILL.md',
          'boxed/other.md',
          'same.md',
          'UPPER.md',
          'none.md',
        ]).map((name) => [
          `.claude/commands/${name}`,
          name === 'none.md'
            ? 'First line of it.\n'
            : skillText(`description: Command ${name}.`, 'Body'),
        ]),
      ),
      ...at(['same', 'zz']),
    },
    home: {
      files: Object.fromEntries(
        some(2, ['plain.md', 'h.md', 'g/h2.md']).map((name) => [
          `.claude/commands/${name}`,
          skillText(`name: other\ndescription: Home ${name}.`),
        ]),
      ),
    },
  }),
  plugins: ({ one }) => {
    const manifest = one([
      '{"name":"tools"}',
      '{"name":""}',
      '{}',
      'no json',
      '{"name":"Tools Kit","skills":"./skills"}',
    ])
    const folder = one(['.claude-plugin', '.codex-plugin'])
    return {
      what: 'A manifest of a plugin in the project.',
      files: {
        ...at(['plain']),
        ...at(['inner'], ['plugins/p/skills', ...BOTH.map((at) => `${at}/pack`)]),
        [one([
          `${folder}/plugin.json`,
          `.agents/skills/pack/${folder}/plugin.json`,
          `.agents/${folder}/plugin.json`,
        ])]: manifest,
        'skills/loose/SKILL.md': skill('loose'),
      },
    }
  },
  'turned-off': ({ some, one }) => settingsCase(some, one),
  policies: ({ some }) => ({
    what: 'Policies of one client in the folder of a skill.',
    files: {
      ...at(['a', 'b', 'c', 'd', 'e']),
      ...Object.fromEntries(
        some(4, [
          'policy:\n  allow_implicit_invocation: false\n',
          'policy:\n  allow_implicit_invocation: true\n',
          'interface:\n  display_name: Other\n  short_description: Short.\n',
          'policy: [\n',
          'policy:\n  allow_implicit_invocation: "false"\n',
          'allow_implicit_invocation: false\n',
          'policy:\n  products: [chatgpt]\n',
        ]).map((text, index) => [`.agents/skills/${'abcd'[index]}/agents/openai.yaml`, text]),
      ),
    },
  }),
  'odd-trees': ({ some }) => ({
    what: 'Folders without a file, files that are folders, and large files.',
    files: {
      ...at(['good']),
      ...(Object.assign(
        {},
        ...some(3, [
          { '.claude/skills/none/readme.txt': 'x', '.agents/skills/none/readme.txt': 'x' },
          { '.claude/skills/dir/SKILL.md/x.md': 'x', '.agents/skills/dir/SKILL.md/x.md': 'x' },
          skillsIn(BOTH, {
            large: skillText('name: large\ndescription: Large.', 'word '.repeat(30_000)),
          }),
          { '.claude/skills/file': 'x', '.agents/skills/file': 'x' },
          skillsIn(BOTH, {
            header: skillText(
              `name: header\ndescription: Long header.\n${'x: y\n'.repeat(1)}list:\n${'  - item\n'.repeat(900)}`,
            ),
          }),
          {
            '.claude/skills/.gitignore': 'ignored\n',
            '.agents/skills/.gitignore': 'ignored\n',
            ...at(['ignored']),
          },
          { '.gitignore': '.agents\n.claude\n' },
        ]),
      ) as Record<string, string>),
    },
  }),
}

/** Settings of the clients that turn skills off. */
function settingsCase(
  some: Parameters<Kind>[0]['some'],
  one: Parameters<Kind>[0]['one'],
): ClientCase {
  const state = () => one(['off', 'name-only', 'user-invocable-only', 'on'])
  const rules = Object.fromEntries(
    some(3, ['a', 'b*', '*', 'c', 'd?']).map((name) => [name, one(['deny', 'allow', 'ask'])]),
  )
  return {
    what: 'Settings that turn skills off.',
    files: {
      ...at(['a', 'b', 'c', 'd', 'b2']),
      '.claude/settings.json': JSON.stringify({
        skillOverrides: { a: state(), b: state() },
        permissions: { deny: ['Skill(c)'] },
      }),
      '.claude/settings.local.json': JSON.stringify({ skillOverrides: { b: state(), d: state() } }),
      'opencode.json': JSON.stringify({
        permission: { skill: one([rules, 'allow', { '*': 'deny', a: 'allow' }]) },
      }),
      '.pi/settings.json': JSON.stringify({
        skills: some(2, ['!**/a/**', '-skills/b', '!c', '../.agents/skills/d', '!b*']),
      }),
    },
    home: {
      files: {
        '.claude/settings.json': JSON.stringify(
          one([
            { skillOverrides: { c: state() } },
            { skillListingMaxDescChars: 10 },
            { disableBundledSkills: true },
          ]),
        ),
        '.codex/config.toml': one([
          '[[skills.config]]\nname = "a"\nenabled = false\n',
          '[[skills.config]]\npath = "{{project}}/.agents/skills/b/SKILL.md"\nenabled = false\n\n[[skills.config]]\nname = "c"\nenabled = true\n',
          '[[skills.config]]\npath = "{{project}}/.agents/skills/d"\nenabled = false\n[tui]\nx = 1\n',
        ]),
      },
    },
  }
}
