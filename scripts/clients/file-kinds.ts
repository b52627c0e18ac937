import type { Kind } from './kinds.ts'
import { fileSkills, headerSkills, valueSkills } from './header-kinds.ts'

/** Kinds of files whose headers are missing, odd or in other bytes, and of fields that one client reads. */
export const FILE_KINDS: Readonly<Record<string, Kind>> = {
  'no-description': ({ some, words }) =>
    fileSkills(
      'No description, and bodies of all kinds.',
      Object.fromEntries(
        some(5, [
          `${words(3)}.`,
          `# ${words(2)}`,
          `\n\n### ${words(2)} ###\n\nText.`,
          '',
          '   ',
          `- ${words(2)}`,
          `<!-- ${words(1)} -->`,
          `${words(40)}`,
          `#${words(1)}`,
          '```\ncode\n```',
          '| a | b |',
          `> ${words(2)}`,
        ]).map((body, at) => [`b${at + 1}`, `---\nname: b${at + 1}\n---\n${body}\n`]),
      ),
    ),
  'blank-description': ({ some }) =>
    valueSkills(
      'Blank descriptions.',
      some(4, ['""', '" "', "''", '|\n', '>-\n  ', '"\\n"', '"\\u00a0"', '"\\u200b"']),
    ),
  'no-header': ({ some, words }) =>
    fileSkills(
      'Files without a header.',
      Object.fromEntries(
        some(5, [
          `${words(3)}.\n`,
          `# ${words(2)}\n`,
          '',
          '\n',
          '---\n',
          '---\n---\n',
          '---\n\n---\nBody.\n',
          `+++\nname = "x"\n+++\n${words(2)}\n`,
          `name: x\ndescription: ${words(2)}\n`,
          '---\n# only a comment\n---\nBody.\n',
          '--- {"name": "x"}\n',
        ]).map((text, at) => [`w${at + 1}`, text]),
      ),
    ),
  fences: ({ some, words }) =>
    fileSkills(
      'Lines of --- that are not exactly that.',
      Object.fromEntries(
        some(
          6,
          [
            ['---  ', '---'],
            ['---', '---  '],
            ['----', '----'],
            ['---', '----'],
            ['\n---', '---'],
            [' ---', '---'],
            ['---', ' ---'],
            ['---', '...'],
            ['---yaml', '---'],
            ['---', '--- end'],
            ['---\t', '---\t'],
            ['---', ''],
            ['--- # x', '---'],
          ].map(
            ([start, end], at) =>
              [
                `f${at + 1}`,
                `${start}\nname: f${at + 1}\ndescription: ${words(3)}.\n${end}\nThe body.\n`,
              ] as const,
          ),
        ),
      ),
    ),
  'dashes-inside': ({ some, words }) =>
    valueSkills(
      'Three dashes in a value.',
      some(3, [
        `${words(1)} --- ${words(1)}`,
        `"${words(1)}---"`,
        `|\n  ${words(1)}\n  ---\n  ${words(1)}`,
        `${words(1)} -- ${words(1)}`,
        `---`,
        `${words(1)}\nnote: a---b`,
      ]),
    ),
  'line-endings': ({ some, words }) =>
    fileSkills(
      'Line breaks of other systems.',
      Object.fromEntries(
        some(4, [
          ['\r\n', ''],
          ['\r', ''],
          ['\r\n', ': x'],
          ['\n\r', ''],
          ['\n', '\r'],
        ] as const).map(([end, more], at) => [
          `e${at + 1}`,
          ['---', `name: e${at + 1}`, `description: ${words(2)}${more}`, '---', 'Body.', ''].join(
            end,
          ),
        ]),
      ),
    ),
  bytes: ({ some, words }) => {
    const texts = some(4, [
      (n: string) => Buffer.from(`\uFEFF---\nname: ${n}\ndescription: ${words(2)}.\n---\nBody.\n`),
      (n: string) =>
        Buffer.from(`---\nname: ${n}\ndescription: ${words(2)} \u00e9\n---\n`, 'latin1'),
      (n: string) => Buffer.from(`---\nname: ${n}\ndescription: ${words(2)}\n---\n`, 'utf16le'),
      (n: string) =>
        Buffer.concat([
          Buffer.from(`---\nname: ${n}\ndescription: a`),
          Buffer.from([0]),
          Buffer.from(`b\n---\n`),
        ]),
      (n: string) =>
        Buffer.concat([
          Buffer.from(`---\nname: ${n}\ndescription: ${words(1)}.\n---\n`),
          Buffer.from([0xff, 0xfe]),
        ]),
      (n: string) => Buffer.from(`---\n\uFEFFname: ${n}\ndescription: ${words(2)}.\n---\n`),
    ])
    const all = texts.flatMap((text, at) =>
      ['.claude', '.agents'].map(
        (folder) =>
          [`${folder}/skills/y${at + 1}/SKILL.md`, text(`y${at + 1}`).toString('base64')] as const,
      ),
    )
    return {
      what: 'Byte order marks, and bytes that are not UTF-8.',
      bytes: Object.fromEntries(all),
    }
  },
  tabs: ({ some, words }) =>
    headerSkills(
      'Tabs in the header.',
      some(4, [
        `description: ${words(2)}\nmetadata:\n\tby: me`,
        `description:\t${words(2)}`,
        `\tdescription: ${words(2)}`,
        `description: ${words(1)}\t${words(1)}`,
        `description: ${words(2)}\nlist:\n\t- a`,
        `description: ${words(2)}\t# x`,
        `description: >\n\t${words(2)}`,
      ]),
    ),
  repeats: ({ some, words }) =>
    headerSkills(
      'A field twice.',
      some(3, [
        `description: ${words(2)}\ndescription: ${words(2)}`,
        `description: ${words(2)}\nlicense: MIT\nlicense: MIT`,
        `description: ${words(2)}\nname: other`,
        `Description: ${words(2)}\ndescription: ${words(2)}`,
        `description: ${words(2)}\nmetadata:\n  a: b\n  a: c`,
      ]),
    ),
  comments: ({ some, words }) =>
    headerSkills(
      'Comments and blank lines.',
      some(3, [
        `# ${words(1)}\ndescription: ${words(2)}`,
        `\ndescription: ${words(2)}\n\n`,
        `description: ${words(2)}\n  # ${words(1)}\n  ${words(1)}`,
        `description: # ${words(1)}\n  ${words(2)}`,
        `#description: ${words(2)}`,
        `description: ${words(2)}\n#`,
      ]),
    ),
  anchors: ({ some, words }) =>
    headerSkills(
      'Anchors, aliases, tags and merges.',
      some(4, [
        `license: &x ${words(2)}\ndescription: *x`,
        `description: !!str ${words(2)}`,
        `description: !custom ${words(2)}`,
        `description: *missing`,
        `base: &b {description: ${words(2)}}\n<<: *b`,
        `description: !!binary aGFsbG8=`,
        `description: &d "${words(2)}"`,
        `? description\n: ${words(2)}`,
      ]),
    ),
  flow: ({ some, words }) =>
    fileSkills(
      'A header in braces, and other ones.',
      Object.fromEntries(
        some(3, [
          `{name: v1, description: ${words(2)}}`,
          `{"name": "v1", "description": "${words(2)}"}`,
          `[name, v1]`,
          `- name: v1\n- description: ${words(2)}`,
          words(3),
          `"name": v1\n"description": ${words(2)}`,
          `name : v1\ndescription : ${words(2)}`,
          `name: v1\ndescription: ${words(2)}\n...`,
          ` name: v1\n description: ${words(2)}`,
          `--- \nname: v1\ndescription: ${words(2)}`,
        ]).map((yaml, at) => [
          `v${at + 1}`,
          `---\n${yaml.replaceAll('v1', `v${at + 1}`)}\n---\nThe body.\n`,
        ]),
      ),
    ),
  hints: ({ some, words }) =>
    headerSkills(
      'Hints about arguments.',
      some(
        5,
        [
          '"[file]"',
          '[file]',
          '[from] [to]',
          '<file>',
          '[a|b] [c]',
          '[--flag] name',
          '{file}',
          '@file',
          "'[x]' y",
          '`file`',
          '| x',
          '*',
          'a: b',
        ].map((hint) => `description: ${words(2)}.\nargument-hint: ${hint}`),
      ),
    ),
  'when-to-use': ({ some, words }) =>
    headerSkills(
      'Fields that say when.',
      some(4, [
        `description: ${words(2)}.\nwhen_to_use: ${words(3)}`,
        `when_to_use: ${words(3)}`,
        `description: ${words(2)}.\nwhen-to-use: ${words(3)}`,
        `description: ${words(2)}.\nwhenToUse: ${words(2)}`,
        `description: ${words(2)}.\nwhen_to_use: 12`,
        `description: ${words(2)}.\nwhen_to_use: ""`,
        `description: ${words(2)}.\nwhen_to_use: |\n  ${words(2)}\n  ${words(2)}`,
        `description: ${words(2)}.\nwhen_to_use: [a, b]`,
        `description: ${words(220)}.\nwhen_to_use: ${words(120)}`,
      ]),
    ),
}
