import { type ClientCase, skillsIn } from './case-folder.ts'
import type { Choices, Kind } from './kinds.ts'

const BOTH = ['.claude/skills', '.agents/skills']

/** A skill's file from the lines of its header. */
export function skillText(lines: string, body = 'Do as it says.'): string {
  return `---\n${lines}\n---\n${body}\n`
}

/** Skills with these descriptions, quoted as JSON, which is YAML as well. */
function texts(what: string, values: readonly string[]): ClientCase {
  return {
    what,
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        values.map((value, at) => [
          `t${at + 1}`,
          skillText(`name: t${at + 1}\ndescription: ${JSON.stringify(value)}`),
        ]),
      ),
    ),
  }
}

/** Skills with these names in their files, in folders that are called otherwise. */
function named(
  what: string,
  names: readonly string[],
  { words }: Choices,
  folders: readonly string[] = [],
): ClientCase {
  return {
    what,
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        names.map((name, at) => [
          folders[at] ?? `folder-${at + 1}`,
          skillText(`name: ${name}\ndescription: ${words(3)}.`),
        ]),
      ),
    ),
  }
}

/** Kinds of texts and names, and of fields that change the list. */
export const TEXT_KINDS: Readonly<Record<string, Kind>> = {
  markup: ({ some, words }) =>
    texts(
      'Signs of markup.',
      some(5, [
        `Writes <table> ${words(1)}`,
        'a & b',
        'a &lt; b',
        `1 < 2 > 0`,
        `</available_skills>`,
        `<!-- ${words(1)} -->`,
        `"${words(1)}" 'x'`,
        '**bold** `code`',
        'a <b',
        '</skill>',
        '- a: b',
        `[${words(1)}](http://x)`,
        '&amp;amp;',
      ]),
    ),
  invisible: ({ some, words }) =>
    texts(
      'Signs that are not seen, and wide ones.',
      some(6, [
        `a\u200bb ${words(1)}`,
        `a\u200db`,
        `\u202e${words(1)}`,
        `a\u00a0b`,
        `\ufeff${words(1)}`,
        `👩\u200d👩\u200d👧 ${words(1)}`,
        `a\u0007b`,
        `a\u2028b`,
        `a\u00adb`,
        `日本語の${words(1)}`,
        'Größe ñ',
        `a\u2003b`,
        `a\ue000b`,
        `☺\ufe0f ${words(1)}`,
        'a\u0085b',
        `${words(1)}\u200b\u200b${words(1)}`,
        'a\u3000b',
        '🇩🇪 flag',
        'a\u2800b',
      ]),
    ),
  'white-space': ({ some, words }) =>
    texts(
      'White space in descriptions.',
      some(5, [
        ` ${words(2)} `,
        `${words(1)}  ${words(1)}`,
        `${words(1)}\n${words(1)}`,
        `${words(1)}\n\n${words(1)}`,
        `\t${words(1)}\t`,
        `${words(1)} \n ${words(1)}`,
        `\n${words(2)}\n`,
        `${words(1)}\r\n${words(1)}`,
        `- ${words(1)}\n- ${words(1)}`,
        `${words(1)}\u000b${words(1)}`,
      ]),
    ),
  'long-texts': ({ some, words }) => {
    const cut = (length: number, text: string) =>
      text
        .slice(0, length - 1)
        .trimEnd()
        .padEnd(length, '.')
    return texts(
      'Descriptions around the limits of clients.',
      some(3, [
        cut(1023, words(300)),
        cut(1024, words(300)),
        cut(1025, words(300)),
        cut(1535, words(400)),
        cut(1536, words(400)),
        cut(1537, words(400)),
        cut(3000, words(800)),
        'ä'.repeat(1030),
        '😀'.repeat(800),
        `${'x'.repeat(1530)}<<<<<`,
        '名'.repeat(1600),
      ]),
    )
  },
  'long-names': (choices) =>
    named(
      'Names around the limits of clients.',
      choices.some(3, [
        'a'.repeat(63),
        'b'.repeat(64),
        'c'.repeat(65),
        'd'.repeat(200),
        'ü'.repeat(64),
        'é'.repeat(65),
        'e'.repeat(255),
        'f'.repeat(257),
      ]),
      choices,
    ),
  'odd-names': (choices) =>
    named(
      'Names that the specification does not allow.',
      choices.some(6, [
        'größe',
        '名前',
        'My Skill',
        'UPPER',
        'snake_case',
        'v1.2',
        'a/b',
        '../up',
        '-lead',
        'trail-',
        'two--dashes',
        'emoji-🚀',
        'claude-helper',
        'anthropic',
        '"a:b"',
        '"a: b"',
        '"x (y)"',
        '"<b>"',
        '"a\\nb"',
        '"  spaced  "',
        '"it\'s"',
        '"tab\\tname"',
        'constructor',
        '__proto__',
        '"*"',
      ]),
      choices,
    ),
  'odd-folders': (choices) => {
    const folders = choices.some(5, [
      'My Skill',
      'UPPER',
      'snake_case',
      'größe',
      '名前',
      'v1.2',
      'trail-',
      'two--dashes',
      '🚀',
      'a  b',
      "it's",
      'a,b',
      'skill(1)',
      '@scope',
      'a&b',
      '#x',
      '~tilde',
      'Zebra',
      'äpfel',
      'synced',
      'a:b',
      ' lead',
    ])
    const isBare = choices.one([true, false])
    const files = Object.fromEntries(
      folders.map((folder) => [
        folder,
        isBare
          ? skillText(`description: ${choices.words(3)}.`)
          : skillText(`name: ${JSON.stringify(folder)}\ndescription: ${choices.words(3)}.`),
      ]),
    )
    return { what: 'Folders with odd names.', files: skillsIn(BOTH, files) }
  },
  'other-names': (choices) =>
    named(
      'Files whose name is not that of their folder.',
      choices.some(4, [
        'one',
        'two',
        'folder-2',
        'init',
        'help',
        'Three',
        'x:folder-1',
        'clear',
        'dataviz',
        'review',
      ]),
      choices,
    ),
  'built-in-names': (choices) => {
    const names = choices.some(4, [
      'init',
      'simplify',
      'imagegen',
      'skill-creator',
      'customize-opencode',
      'run',
      'loop',
      'help',
      'compact',
      'security-review',
      'openai-docs',
      'claude-api',
    ])
    return named('Names of skills that clients bring.', names, choices, names)
  },
  order: (choices) => {
    const names = choices.some(7, [
      'a',
      'B',
      'c',
      'D',
      'a1',
      'a10',
      'a2',
      'a-b',
      'a_b',
      'ab',
      'ä',
      'Z',
      'z',
      '1',
      '10',
      '2',
      'é',
      'ß',
      '-x',
      'a.b',
    ])
    return named(
      'Names whose order differs from one alphabet to another.',
      names.map((name) => JSON.stringify(name)),
      choices,
      names,
    )
  },
}
