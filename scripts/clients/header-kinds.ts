import { type ClientCase, skillsIn } from './case-folder.ts'
import type { Kind } from './kinds.ts'

/** A case with the same skills where each client looks; the texts are whole files, by the name of the folder. */
export function fileSkills(what: string, texts: Readonly<Record<string, string>>): ClientCase {
  return { what, files: skillsIn(['.claude/skills', '.agents/skills'], texts) }
}

/** Skills of which each has one line, or some, in its header. */
export function headerSkills(what: string, lines: readonly string[], start = 'h'): ClientCase {
  const texts = lines.map((line, at) => [
    `${start}${at + 1}`,
    `---\nname: ${start}${at + 1}\n${line}\n---\nThe body of ${at + 1}.\n`,
  ])
  return fileSkills(what, Object.fromEntries(texts) as Record<string, string>)
}

/** Skills of which each has a description, in YAML. */
export function valueSkills(what: string, values: readonly string[]): ClientCase {
  return headerSkills(
    what,
    values.map((value) => `description: ${value}`),
  )
}

/** Kinds of headers: what is written between two lines of `---`, and these lines themselves. */
export const HEADER_KINDS: Readonly<Record<string, Kind>> = {
  'broken-yaml': ({ some, words }) =>
    headerSkills(
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
    valueSkills(
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
    valueSkills(
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
    valueSkills(
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
    valueSkills(
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
    valueSkills(
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
    valueSkills(
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
    valueSkills(
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
    fileSkills(
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
}
