import { type ClientCase, skillsIn } from './case-folder.ts'
import type { Kind } from './kinds.ts'

/** A case with the same skills where each client looks; the texts are whole files, by the name of the folder. */
function files(what: string, texts: Readonly<Record<string, string>>): ClientCase {
  return { what, files: skillsIn(['.claude/skills', '.agents/skills'], texts) }
}

/** Skills of which each has one line, or some, in its header. */
function headers(what: string, lines: readonly string[], start = 'h'): ClientCase {
  const texts = lines.map((line, at) => [
    `${start}${at + 1}`,
    `---\nname: ${start}${at + 1}\n${line}\n---\nThe body of ${at + 1}.\n`,
  ])
  return files(what, Object.fromEntries(texts) as Record<string, string>)
}

/** Skills of which each has a description as it is written in YAML. */
function descriptions(what: string, values: readonly string[]): ClientCase {
  return headers(
    what,
    values.map((value) => `description: ${value}`),
  )
}

/** Kinds of headers: what is written between two lines of `---`, and these lines themselves. */
export const HEADER_KINDS: Readonly<Record<string, Kind>> = {
  'broken-yaml': ({ some, words }) =>
    headers(
      'Headers that are no YAML.',
      some(5, [
        `description: "${words(3)}`,
        `description: '${words(2)}`,
        `description: ${words(2)}\n- ${words(1)}`,
        `description: ${words(2)}\n  ${words(1)}: x\n y: z`,
        `description: ${words(2)}\nmetadata: {a: b`,
        `description: ${words(2)}\nallowed-tools: [Read, Write`,
        `description ${words(2)}`,
        `description: ${words(2)}\n${words(2)}`,
        `description: "${words(2)}" ${words(1)}`,
        `description: ${words(2)}\n: ${words(1)}`,
      ]),
    ),
  colons: ({ some, words }) =>
    descriptions(
      'Plain values with a colon.',
      some(5, [
        `${words(1)}: ${words(2)}`,
        `${words(2)}: ${words(1)}: ${words(1)}`,
        `${words(1)}:${words(1)}`,
        `Use when: "${words(2)}"`,
        `https://example.com/${words(1)}: ${words(1)}`,
        `${words(1)} 'x': y`,
        `${words(2)}:`,
        `${words(1)}: # ${words(1)}`,
        `It's ${words(1)}: yes`,
        `a \\ b: c`,
      ]),
    ),
  'first-signs': ({ some, words }) =>
    descriptions(
      'Values that begin with a sign of YAML.',
      some(6, [
        ...[
          '@',
          '`',
          '*',
          '&x ',
          '!',
          '!x ',
          '%',
          '? ',
          '- ',
          '| ',
          '> ',
          ', ',
          '#',
          '=',
          '~ ',
          '$',
          '- x: ',
        ].map((sign) => `${sign}${words(2)}`),
        `[${words(1)}] ${words(2)}`,
        `{${words(1)}} ${words(2)}`,
        `"${words(1)}" ${words(2)}`,
        `\`${words(1)}\` ${words(1)}`,
      ]),
    ),
  hashes: ({ some, words }) =>
    descriptions(
      'Values with a hash.',
      some(4, [
        `${words(2)} # ${words(1)}`,
        `${words(1)}#${words(1)}`,
        `"${words(1)} # ${words(1)}"`,
        `'${words(1)} #${words(1)}'`,
        `${words(1)} #12 ${words(1)}`,
        `C# and F# ${words(1)}`,
      ]),
    ),
  quotes: ({ some, words }) =>
    descriptions(
      'Quoted values.',
      some(5, [
        `"${words(2)} \\"${words(1)}\\""`,
        `'${words(1)} ''${words(1)}'''`,
        `"${words(1)}\\n${words(1)}"`,
        `"${words(1)}\\t\\u00e9"`,
        `"${words(1)}\\q"`,
        `'${words(1)}\\n'`,
        `${words(1)} "${words(1)}" ${words(1)}`,
        `don't ${words(1)}`,
        `"${words(1)}: ${words(1)}"`,
        `"${words(1)}'s ${words(1)}"`,
      ]),
    ),
  blocks: ({ some, words }) =>
    descriptions(
      'Blocks of text.',
      some(5, [
        `|\n  ${words(2)}\n  ${words(2)}`,
        `>\n  ${words(2)}\n  ${words(2)}\n\n  ${words(1)}`,
        `|-\n  ${words(2)}\n    ${words(1)}`,
        `>-\n  ${words(2)}\n  ${words(1)}`,
        `>+\n  ${words(2)}\n\n`,
        `|2\n  ${words(2)}`,
        `|\n  ${words(1)}: ${words(1)}\n  - ${words(1)}`,
        `>-\n    ${words(2)}\n    # ${words(1)}`,
        `|\n${words(2)}`,
      ]),
    ),
  'folded-lines': ({ some, words }) =>
    descriptions(
      'Plain and quoted values on several lines.',
      some(4, [
        `${words(2)}\n  ${words(2)}`,
        `${words(2)}\n  ${words(1)}: ${words(1)}`,
        `"${words(2)}\n  ${words(2)}"`,
        `\n  ${words(3)}`,
        `${words(2)}\n\n  ${words(2)}`,
        `'${words(1)}\n\n  ${words(2)}'`,
        `${words(2)}\n${words(2)}`,
      ]),
    ),
  'description-types': ({ some, words }) =>
    descriptions(
      'Descriptions that are no text.',
      some(6, [
        '42',
        '1.50',
        'true',
        'no',
        'null',
        '~',
        '',
        `[${words(1)}, ${words(1)}]`,
        `{a: ${words(1)}}`,
        '2026-01-02',
        '0x1F',
        '1e3',
        '.inf',
        '!!str 12',
        `\n  - ${words(1)}\n  - ${words(1)}`,
      ]),
    ),
  'name-types': ({ some, words }) =>
    files(
      'Names that are no text.',
      Object.fromEntries(
        some(6, [
          '42',
          '007',
          'true',
          'yes',
          'null',
          '~',
          '',
          '""',
          `[a, b]`,
          '{b}',
          '2026-01-02',
          '1.0',
          "'12'",
          '!!str 9',
          '0',
        ]).map((value, at) => [
          `n${at + 1}`,
          `---\nname: ${value}\ndescription: ${words(3)}.\n---\nBody.\n`,
        ]),
      ),
    ),
  'no-description': ({ some, words }) =>
    files(
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
    descriptions(
      'Blank descriptions.',
      some(4, ['""', '" "', "''", '|\n', '>-\n  ', '"\\n"', '"\\u00a0"', '"\\u200b"']),
    ),
  'no-header': ({ some, words }) =>
    files(
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
    files(
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
    descriptions(
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
    files(
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
    headers(
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
    headers(
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
    headers(
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
    headers(
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
    files(
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
    headers(
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
    headers(
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
