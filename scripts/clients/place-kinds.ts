import { skillsIn } from './case-folder.ts'
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

/** A skill whose description says where it is. */
export function skillFile(name: string, where = name): string {
  return skillText(`name: ${name}\ndescription: Helps with ${where}.`)
}

/** Files of skills at these paths below the folders of skills of a project. */
export function skillAt(
  paths: readonly string[],
  folders: readonly string[] = BOTH,
): Readonly<Record<string, string>> {
  return skillsIn(
    folders,
    Object.fromEntries(paths.map((path) => [path, skillFile(path.split('/').at(-1) ?? path)])),
  )
}

/** Kinds of places: folders, links, parents, homes, duplicates, plugins and settings. */
export const PLACE_KINDS: Readonly<Record<string, Kind>> = {
  nested: ({ some }) => ({
    what: 'Folders of skills.',
    files: skillAt(
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
    files: skillAt([
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
          one([skillFile('root'), skillText('description: No name.'), 'No header.\n']),
        ]),
      ),
      ...skillAt(some(2, ['plain', 'g/deep', 'z'])),
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
            skillFile(`of-${name.replaceAll(/\W/g, '-')}`),
          ]),
        ),
      ),
      ...skillAt(['good']),
    },
  }),
  'hidden-folders': ({ some }) => ({
    what: 'Folders that some clients skip.',
    files: skillAt(
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
      'shared/one/SKILL.md': skillFile('one'),
      'shared/two/SKILL.md': skillFile('two'),
      'shared/group/three/SKILL.md': skillFile('three'),
      ...skillAt(['real']),
    },
    home: { files: { 'dotfiles/out/SKILL.md': skillFile('out') } },
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
      'shared/a.md': skillFile('a'),
      'shared/b/SKILL.md': skillFile('b'),
      ...Object.fromEntries(BOTH.map((folder) => [`${folder}/plain/SKILL.md`, skillFile('plain')])),
    },
    home: { files: { 'c.md': skillFile('c') } },
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
      files: skillAt(['x1', 'x2', 'g/x3'], [folder]),
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
    files: skillAt(some(3, ['same', 'only-here', 'Other', 'third'])),
    home: {
      files: skillsIn(one([BOTH, ['.claude/skills', '.codex/skills', '.pi/agent/skills']]), {
        same: skillFile('same', 'same at home'),
        third: skillFile('third'),
        zz: skillFile('zz'),
      }),
    },
  }),
}
