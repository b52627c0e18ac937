import { skillsIn } from './case-folder.ts'
import type { Kind } from './kinds.ts'
import { skillText } from './text-kinds.ts'

const BOTH = ['.claude/skills', '.agents/skills']

/** Kinds of fields that change the list or do not, and of lists that are too long. */
export const FIELD_KINDS: Readonly<Record<string, Kind>> = {
  'other-fields': ({ some, words }) => ({
    what: 'Fields that change no list.',
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        some(6, [
          'license: MIT',
          'allowed-tools: Read, Bash(git:*)',
          'allowed-tools: [Read, Write]',
          'metadata:\n  version: "1"',
          'metadata: {short-description: Short.}',
          'metadata: text',
          'metadata: null',
          'metadata:\n  short-description: 12',
          'metadata:\n  short-description: [a]',
          'model: opus',
          'compatibility: all',
          'unknown: {a: [b]}',
          'context: fork',
          'hooks: nothing',
          'version: 1.0',
          'metadata: []',
          `metadata:\n  short-description: ${words(200)}`,
          'tags: [a, b]',
          'disabled: true',
          'effort: high',
          'agent: Explore',
          'shell: bash',
        ]).map((line, at) => [
          `o${at + 1}`,
          skillText(`name: o${at + 1}\ndescription: ${words(3)}.\n${line}`),
        ]),
      ),
    ),
  }),
  hidden: ({ some, words }) => ({
    what: 'Fields that hide a skill from models or people.',
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        some(6, [
          ...[
            'true',
            '"true"',
            'yes',
            'True',
            '1',
            'on',
            'false',
            'TRUE',
            '"yes"',
            '2',
            '[true]',
            'null',
            'y',
          ].map((value) => `disable-model-invocation: ${value}`),
          'user-invocable: false',
          'user-invocable: "no"',
          'disable_model_invocation: true',
          'disableModelInvocation: true',
        ]).map((line, at) => [
          `p${at + 1}`,
          skillText(`name: p${at + 1}\ndescription: ${words(3)}.\n${line}`),
        ]),
      ),
    ),
  }),
  paths: ({ some, words }) => ({
    what: 'Skills for some files.',
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        some(
          5,
          [
            'src/**',
            '"**/*.ts"',
            '["*.md", "docs/**"]',
            '"**"',
            '""',
            '[]',
            'null',
            '\n  - src/*\n  - test/*',
            '"**, *.css"',
            '"**/**"',
            '12',
            '"/**"',
          ].map((value) => `paths: ${value}`),
        ).map((line, at) => [
          `q${at + 1}`,
          skillText(`name: q${at + 1}\ndescription: ${words(3)}.\n${line}`),
        ]),
      ),
    ),
  }),
  room: ({ one, some }) => ({
    what: 'More skills than there is room for.',
    make: some(2, [
      { under: '.claude/skills', prefix: 'aa' },
      { under: '.agents/skills', prefix: 'bb' },
      { under: '.claude/skills', prefix: 'zz' },
      { under: '.agents/skills', prefix: 'mm' },
    ]).map((made) => ({
      ...made,
      count: one([10, 30, 70]),
      length: one([60, 180, 500]),
      seed: one([1, 2, 3]),
    })),
    home: {
      make: [
        {
          under: one(['.claude/skills', '.agents/skills']),
          prefix: 'hh',
          count: one([3, 12]),
          length: one([100, 400]),
          seed: 9,
        },
      ],
    },
    window: one([64_000, 128_000, 200_000]),
  }),
  'wide-room': ({ one, words }) => ({
    what: 'Wide letters, of which fewer have room.',
    files: skillsIn(
      BOTH,
      Object.fromEntries(
        Array.from({ length: 24 }, (_, at) => [
          `w${String(at + 10)}`,
          skillText(
            `name: w${at + 10}\ndescription: ${one(['名前の', 'größe ', '🚀 ', 'plain '])}${one(['字', 'ü', 'x', '👩‍👧']).repeat(one([20, 60, 110]))} ${words(2)}`,
          ),
        ]),
      ),
    ),
    window: one([100_000, 200_000]),
  }),
}
