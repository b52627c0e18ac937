import { type ClientCase, skillsIn } from './case-folder.ts'
import type { Kind } from './kinds.ts'
import { skillAt, skillFile } from './place-kinds.ts'
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

/** Kinds of folders of clients, parents, homes, plugins and settings. */
export const FOLDER_KINDS: Readonly<Record<string, Kind>> = {
  'own-folders': ({ some }) => ({
    what: 'The folders of each client.',
    files: Object.fromEntries(
      some(4, [...OWN, '.github/skills', '.cursor/skills', 'skills', '.gemini/skills']).map(
        (folder) => [
          `${folder}/p${folder.replaceAll(/\W/g, '-')}/SKILL.md`,
          skillFile(`p${folder.replaceAll(/\W/g, '-')}`),
        ],
      ),
    ),
    home: {
      files: Object.fromEntries(
        some(4, [...HOMES, '.gemini/skills', '.agent/skills']).map((folder) => [
          `${folder}/h${folder.replaceAll(/\W/g, '-')}/SKILL.md`,
          skillFile(`h${folder.replaceAll(/\W/g, '-')}`),
        ]),
      ),
    },
  }),
  'across-folders': ({ some }) => ({
    what: 'One name in the folders of several clients.',
    files: Object.fromEntries(
      some(4, OWN).map((folder) => [`${folder}/x/SKILL.md`, skillFile('x', folder)]),
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
        skillAt(
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
      ...skillsIn(BOTH, { same: skillFile('same', 'root'), root: skillFile('root') }),
      ...skillsIn(
        BOTH.map((folder) => `${one(['a', 'a/b'])}/${folder}`),
        { same: skillFile('same', 'near'), near: skillFile('near') },
      ),
    },
  }),
  'no-repository': ({ one }) => ({
    what: 'No repository.',
    git: [],
    cwd: one(['.', 'a', 'a/b']),
    files: {
      ...skillAt(['top']),
      ...skillAt(
        ['mid'],
        BOTH.map((folder) => `a/${folder}`),
      ),
      ...skillAt(['low'], ['a/b/.agents/skills', 'a/b/.claude/skills', 'a/b/.codex/skills']),
    },
  }),
  'inner-repository': ({ one }) => ({
    what: 'A repository in a repository.',
    git: one([['.', 'inner'], ['inner'], ['.', 'inner', 'inner/deep']]),
    cwd: one(['inner', 'inner/deep', 'inner/other']),
    files: {
      ...skillAt(['outer']),
      ...skillAt(
        ['inner-one'],
        BOTH.map((folder) => `inner/${folder}`),
      ),
      ...skillAt(
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
          skillAt([`h${index}`, `g/deep${index}`, '.dot'], [folder]),
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
      ...skillAt(['same', 'zz']),
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
        ...skillAt(['plain']),
        ...skillAt(['inner'], ['plugins/p/skills', ...BOTH.map((at) => `${at}/pack`)]),
        [one([
          `${folder}/plugin.json`,
          `.agents/skills/pack/${folder}/plugin.json`,
          `.agents/${folder}/plugin.json`,
        ])]: manifest,
        'skills/loose/SKILL.md': skillFile('loose'),
      },
    }
  },
  'turned-off': ({ some, one }) => settingsCase(some, one),
  policies: ({ some }) => ({
    what: 'Policies of one client in the folder of a skill.',
    files: {
      ...skillAt(['a', 'b', 'c', 'd', 'e']),
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
      ...skillAt(['good']),
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
            ...skillAt(['ignored']),
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
      ...skillAt(['a', 'b', 'c', 'd', 'b2']),
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
