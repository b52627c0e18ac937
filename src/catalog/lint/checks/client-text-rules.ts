import type { ClientRule } from './client-rule.ts'
import { CLIENT_PAGES } from './client-pages.ts'
import { CLIENT_FIELDS, FIELD_SOURCES } from './client-fields.ts'
import { placeOf, textOf } from './lint-skill.ts'

/** Characters of description and `when_to_use` together that Claude Code lists. */
const MAX_LISTING = 1536
/** Characters of Codex's `metadata.short-description`. */
const MAX_SHORT_DESCRIPTION = 1024

/** What clients ask of descriptions and other fields. */
export const CLIENT_TEXT_RULES: Readonly<Record<string, ClientRule>> = {
  'portable-markup': {
    severity: ['warning'],
    what: 'The description holds an XML tag, which claude.ai and the Claude API refuse.',
    hint: 'Say it in words, without angle brackets.',
    sources: [CLIENT_PAGES.claudeApi],
    check: (skill) => {
      const tag = /<\/?[a-z][^<>]{0,60}>/i.exec(textOf(skill, 'description') ?? '')?.[0]
      if (tag === undefined) return []
      return [
        {
          message: `The description holds the tag "${tag}", which claude.ai and the Claude API refuse.`,
          hint: 'Say it in words, without angle brackets.',
          place: placeOf(skill, 'description'),
        },
      ]
    },
  },
  'portable-listing-length': {
    severity: ['warning'],
    what: 'The description and `when_to_use` have more than 1,536 characters together: Claude Code cuts them in its list of skills.',
    hint: 'Put what brings the skill to mind first, and shorten the rest.',
    sources: [CLIENT_PAGES.claudeCode],
    check: (skill) => {
      const texts = ['description', 'when_to_use'].map((field) => textOf(skill, field) ?? '')
      const length = [...texts.join('')].length
      if (length <= MAX_LISTING) return []
      return [
        {
          message: `Claude Code lists ${MAX_LISTING} characters of description and when_to_use; these have ${length}.`,
          hint: 'Put what brings the skill to mind first, and shorten the rest.',
          place: placeOf(skill, 'description'),
        },
      ]
    },
  },
  'portable-short-description': {
    severity: ['warning'],
    what: '`metadata.short-description` is longer than 1,024 characters, or no text: Codex refuses the skill.',
    hint: 'Make it one short text, or remove it.',
    sources: [CLIENT_PAGES.codex],
    check: ({ fields }) => {
      const metadata = fields.get('metadata')?.node
      const entry = metadata?.kind === 'map' ? metadata.entries.get('short-description') : undefined
      if (entry === undefined) return []
      const { node } = entry
      if (node.kind === 'scalar' && [...node.text].length <= MAX_SHORT_DESCRIPTION) return []
      return [
        {
          message: `Codex refuses a skill whose short-description is not a text of up to ${MAX_SHORT_DESCRIPTION} characters.`,
          hint: 'Make it one short text, or remove it.',
          place: node.place,
        },
      ]
    },
  },
  'portable-client-field': {
    severity: ['warning'],
    what: 'A field that only some clients read; others leave it out or refuse the skill.',
    hint: 'Do not rely on it where the skill should run anywhere.',
    sources: FIELD_SOURCES,
    check: ({ fields }) =>
      [...fields].flatMap(([field, { place }]) => {
        const clients = CLIENT_FIELDS.get(field)
        if (clients === undefined) return []
        return [
          {
            message: `Only ${clients.join(', ')} read the field "${field}"; it has no effect elsewhere.`,
            hint: 'Remove it, or say in the instructions what it stands for.',
            place,
          },
        ]
      }),
  },
}
