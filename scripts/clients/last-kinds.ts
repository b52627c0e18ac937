import { skillsIn } from './case-folder.ts'
import { headerSkills } from './header-kinds.ts'
import type { Kind } from './kinds.ts'
import { skillAt, skillFile } from './place-kinds.ts'

const PLACES = ['.gemini/skills', '.qwen/skills', '.agents/skills', '.claude/skills']

/** Kinds that were written for Gemini CLI and Qwen Code. */
export const LAST_KINDS: Readonly<Record<string, Kind>> = {
  'folders-of-gemini-and-qwen': ({ some, one }) => ({
    what: 'A skill of one name in folders of a project and of the home, and others.',
    files: {
      ...skillsIn(some(3, PLACES), { twin: skillFile('twin', one(['p', 'q'])) }),
      ...skillAt(['own-a', 'Own-b', '.own-c', 'g/own-d'], [one(PLACES)]),
      ...Object.fromEntries(
        PLACES.map((place) => [
          `${place}/in-${place.slice(1, 4)}/SKILL.md`,
          skillFile('here', place),
        ]),
      ),
    },
    home: {
      files: {
        ...skillsIn(some(2, PLACES), { twin: skillFile('twin', 'the home') }),
        ...skillAt(['home-a', 'here'], some(2, PLACES)),
      },
    },
  }),
  'settings-of-gemini': ({ one }) => ({
    what: 'Settings that turn skills off.',
    files: {
      ...skillAt(['a', 'B', 'c', 'skill-creator']),
      '.gemini/settings.json': one([
        '{"skills": {"disabled": ["A", "b"]}}',
        '{"skills": {"disabled": ["skill-creator"], "enabled": true}}',
        '{"skills": {"enabled": false}}',
        '{ /* note */ "skills": {"disabled": ["c"]}}',
      ]),
    },
    home: {
      files: {
        '.gemini/settings.json': one([
          '{"skills": {"disabled": ["c", "antigravity-support"]}}',
          '{"skills": {"enabled": false}}',
          '{}',
        ]),
      },
    },
  }),
  'fields-of-qwen': ({ some, words }) =>
    headerSkills(
      'Fields of more than one kind.',
      some(8, [
        `description: ${words(2)}.\nallowedTools: [a, b]`,
        `description: ${words(2)}.\nallowedTools:\n  - a\n  - b`,
        `description: ${words(2)}.\nallowedTools:`,
        `description: ${words(2)}.\nmodel: 4`,
        `description: ${words(2)}.\nmodel: inherit`,
        `description: ${words(2)}.\nhooks:`,
        `description: ${words(2)}.\nhooks:\n  Stop:\n  - matcher: a`,
        `description: ${words(2)}.\nwhen_to_use: 7`,
        `description: ${words(2)}.\nwhen_to_use: "${words(2)}"`,
        `description:\n  a: b\n  - c`,
        `description:\n  - ${words(1)}\n  - ${words(1)}`,
        `description:\n  ${words(2)}`,
        `description: >-\n  ${words(2)}\n  note: ${words(1)}`,
        `description: '${words(2)}'`,
        `description: "a \\"b\\" \\\\ c"`,
        `# note\ndescription: ${words(2)} # note`,
      ]),
    ),
  'paths-of-qwen': ({ some, words }) =>
    headerSkills(
      'Values of paths as a list, or not as one.',
      some(6, [
        `description: ${words(2)}.\npaths: src/**`,
        `description: ${words(2)}.\npaths: ["src/**"]`,
        `description: ${words(2)}.\npaths:\n  - src/**`,
        `description: ${words(2)}.\npaths:\n- src/**`,
        `description: ${words(2)}.\npaths:\n  - /src/**`,
        `description: ${words(2)}.\npaths:\n  - ../src/**`,
        `description: ${words(2)}.\npaths:\n  - "C:\\\\src"`,
        `description: ${words(2)}.\npaths:\n  - ""`,
        `description: ${words(2)}.\npaths:`,
        `description: ${words(2)}.\npaths: null`,
      ]),
    ),
  'read-by-lines': ({ some, words }) =>
    headerSkills(
      'Headers that are no YAML, or have a value that is no text.',
      some(7, [
        `description: ${words(2)}: ${words(1)}\n  ${words(1)}\n  ${words(1)}`,
        `description: @${words(1)}\n\t${words(1)}`,
        `description: [${words(1)}] ${words(1)}`,
        `description: 1_000`,
        `description: 0b11`,
        `description: 0o17`,
        `description: 1e3`,
        `description: 1:30`,
        `description: .inf`,
        `description: 2026-01-02`,
        `description: !!binary aGVsbG8=`,
        `description: yes`,
        `description: ~`,
        `description: ${words(1)}\ndescription: ${words(1)}`,
        `description:`,
        `  description: ${words(2)}`,
      ]),
    ),
  'names-of-built-in': ({ some, words }) => ({
    what: 'Skills with names of built-in ones.',
    files: skillsIn(
      ['.claude/skills', '.agents/skills'],
      Object.fromEntries(
        some(4, ['skill-creator', 'antigravity-support', 'review', 'batch', 'loop', 'Review']).map(
          (name) => [name, skillFile(name, words(2))],
        ),
      ),
    ),
  }),
}
