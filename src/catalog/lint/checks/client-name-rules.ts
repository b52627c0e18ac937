import type { ClientRule } from './client-rule.ts'
import { CLIENT_PAGES } from './client-pages.ts'
import { placeOf, textOf } from './lint-skill.ts'

/** What clients ask of names. */
export const CLIENT_NAME_RULES: Readonly<Record<string, ClientRule>> = {
  'portable-name-letters': {
    severity: ['warning'],
    what: 'The name has letters or digits other than a to z and 0 to 9: the specification has them, Claude, Cursor, OpenCode and VS Code do not.',
    hint: 'Use a to z, 0 to 9 and single hyphens.',
    sources: [
      CLIENT_PAGES.claudeApi,
      CLIENT_PAGES.cursor,
      CLIENT_PAGES.openCode,
      CLIENT_PAGES.vsCode,
    ],
    check: (skill) => {
      const name = (textOf(skill, 'name') ?? '').normalize('NFKC')
      // What the specification refuses, too, is said by its own finding.
      if (/^[a-z0-9-]*$/.test(name) || !/^[\p{L}\p{N}-]*$/u.test(name)) return []
      if (name !== name.toLowerCase()) return []
      return [
        {
          message: `The name "${name.slice(0, 100)}" has letters that Claude, Cursor, OpenCode and VS Code refuse.`,
          hint: 'Use a to z, 0 to 9 and single hyphens.',
          place: placeOf(skill, 'name'),
        },
      ]
    },
  },
  'portable-name-reserved': {
    severity: ['warning'],
    what: 'The name holds "anthropic" or "claude", which claude.ai and the Claude API reserve.',
    hint: 'Rename the skill and its folder.',
    sources: [CLIENT_PAGES.claudeApi],
    check: (skill) => {
      const word = /anthropic|claude/i.exec(textOf(skill, 'name') ?? '')?.[0]
      if (word === undefined) return []
      return [
        {
          message: `The name holds "${word}", which claude.ai and the Claude API reserve.`,
          hint: 'Rename the skill and its folder.',
          place: placeOf(skill, 'name'),
        },
      ]
    },
  },
}
