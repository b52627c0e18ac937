import { fieldPlace, fieldText, type LintSkill } from './lint-skill.ts'
import type { DiagnosticGroup, DiagnosticRule } from '../codes/diagnostic-group.ts'
import { shortPlaceholders } from '../../../kernel/substitute-variables.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { SPECIFICATION_LIMITS } from '../../../skills/parse/check-specification.ts'
import { FILE_START, Findings, type Place, placeAt } from '../../../skills/parse/findings.ts'

/** A limit of clients that the specification does not have, with its sources. */
interface ClientRule extends DiagnosticRule {
  readonly sources: readonly string[]
  /** Reports what is wrong with a skill; with the hint of the rule, unless another one is given. */
  check(skill: LintSkill, report: (message: string, place?: Place, hint?: string) => void): void
}

/** The pages of clients that rules were taken from; source code if it says more. */
const CLIENT_PAGES = {
  claudeApi: 'https://platform.claude.com/docs/en/agents-and-tools/agent-skills/overview',
  claudeCode: 'https://code.claude.com/docs/en/skills',
  codex: 'https://github.com/openai/codex/blob/main/codex-rs/core-skills/src/loader.rs',
  cursor: 'https://cursor.com/docs/context/skills',
  geminiCli:
    'https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/skills/skillLoader.ts',
  copilotCli: 'https://github.com/github/copilot-cli/blob/main/changelog.md',
  openCode: 'https://opencode.ai/docs/skills',
  pi: 'https://github.com/badlogic/pi-mono/tree/main/packages/coding-agent',
  vsCode: 'https://code.visualstudio.com/docs/copilot/customization/agent-skills',
} as const

/** Pages that list the fields a client reads in addition to the specification. */
const FIELD_SOURCES = [CLIENT_PAGES.claudeCode, CLIENT_PAGES.cursor, CLIENT_PAGES.vsCode]

/** Fields that only some clients read, with those clients. */
const CLIENT_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['agent', ['Claude Code', 'Loadout']],
  ['argument-hint', ['Claude Code', 'Qwen Code', 'VS Code']],
  ['arguments', ['Claude Code', 'Loadout']],
  ['context', ['Claude Code', 'Loadout', 'VS Code']],
  ['disable-model-invocation', ['Claude Code', 'Cursor', 'Loadout', 'pi', 'Qwen Code', 'VS Code']],
  ['disallowed-tools', ['Claude Code', 'Loadout']],
  ['effort', ['Claude Code']],
  ['hooks', ['Claude Code', 'Qwen Code']],
  ['model', ['Claude Code', 'Qwen Code']],
  ['paths', ['Claude Code', 'Loadout', 'Qwen Code']],
  ['shell', ['Claude Code']],
  ['user-invocable', ['Claude Code', 'Loadout', 'VS Code']],
  ['when_to_use', ['Claude Code', 'Loadout', 'Qwen Code']],
])

/** Fields that only take something away: without one, a skill is used where it was not to be. */
const LIMITING_FIELDS: ReadonlySet<string> = new Set([
  'disable-model-invocation',
  'disallowed-tools',
  'paths',
  'user-invocable',
])

/** Rules of clients for names. */
const CLIENT_NAME_RULES: Readonly<Record<string, ClientRule>> = {
  'portable-name-letters': {
    severity: ['warning'],
    what: 'The name has letters or digits other than a to z and 0 to 9: the specification allows them, but the Claude API, Cursor and VS Code do not.',
    hint: 'Use a to z, 0 to 9 and single hyphens.',
    sources: [CLIENT_PAGES.claudeApi, CLIENT_PAGES.cursor, CLIENT_PAGES.vsCode],
    check: (skill, report) => {
      const name = (fieldText(skill, 'name') ?? '').normalize('NFKC')
      // A name that the specification also refuses has a finding of its own.
      if (/^[a-z0-9-]*$/.test(name) || !/^[\p{L}\p{N}-]*$/u.test(name)) return
      if (name !== name.toLowerCase()) return
      report(
        `The name "${name.slice(0, 100)}" has letters that the Claude API, Cursor and VS Code refuse.`,
        fieldPlace(skill, 'name'),
      )
    },
  },
  'portable-name-reserved': {
    severity: ['warning'],
    what: 'The name contains "anthropic" or "claude", which claude.ai and the Claude API reserve.',
    hint: 'Rename the skill and its folder.',
    sources: [CLIENT_PAGES.claudeApi],
    check: (skill, report) => {
      const word = /anthropic|claude/i.exec(fieldText(skill, 'name') ?? '')?.[0]
      if (word === undefined) return
      report(
        `The name contains "${word}", which claude.ai and the Claude API reserve.`,
        fieldPlace(skill, 'name'),
      )
    },
  },
}

/** Characters of description and `when_to_use`, joined by ` - `, that Claude Code shows in its list. */
const MAX_LISTING = 1536

/** Rules of clients for descriptions and other fields. */
const CLIENT_TEXT_RULES: Readonly<Record<string, ClientRule>> = {
  'portable-markup': {
    severity: ['warning'],
    what: 'The description contains an XML tag, which claude.ai and the Claude API refuse.',
    hint: 'Write it in words, without angle brackets.',
    sources: [CLIENT_PAGES.claudeApi],
    check: (skill, report) => {
      const tag = /<\/?[a-z][^<>]{0,60}>/i.exec(fieldText(skill, 'description') ?? '')?.[0]
      if (tag === undefined) return
      report(
        `The description contains the tag "${tag}", which claude.ai and the Claude API refuse.`,
        fieldPlace(skill, 'description'),
      )
    },
  },
  'portable-listing-length': {
    severity: ['warning'],
    what: 'The description and `when_to_use` have more than 1,536 characters together: Claude Code cuts them in its list of skills.',
    hint: 'Put the most important words first, and shorten the rest.',
    sources: [CLIENT_PAGES.claudeCode],
    check: (skill, report) => {
      const texts = ['description', 'when_to_use'].map((field) => fieldText(skill, field) ?? '')
      const length = [...texts.filter((text) => text !== '').join(' - ')].length
      if (length <= MAX_LISTING) return
      report(
        `Claude Code shows ${MAX_LISTING} characters of description and when_to_use; these have ${length}.`,
        fieldPlace(skill, 'description'),
      )
    },
  },
  'portable-argument-in-code': {
    severity: ['warning'],
    what: 'Code in the text has `$1` or another short placeholder of an argument: Claude Code fills it in when the skill is started with arguments, and Loadout does not.',
    hint: 'Write a backslash before the dollar sign, as in `\\$1`: both take it away and leave the rest.',
    sources: [CLIENT_PAGES.claudeCode],
    check: ({ body, bodyLine }, report) => {
      const found = shortPlaceholders(body).filter(({ isCode }) => isCode)
      const [first] = found
      if (first === undefined) return
      const names = [...new Set(found.map(({ name }) => name))].join(', ')
      const { line, column } = placeAt(body, first.at)
      report(
        `Claude Code fills in ${names} in the code of the text when the skill has arguments.`,
        { line: line + bodyLine - 1, column },
      )
    },
  },
  'portable-argument-place': {
    severity: ['warning'],
    what: 'The text has `$1` and no `$0`: Claude Code counts from `$0`, so its `$1` is the second argument. Loadout counts from `$1` in such a text.',
    hint: 'Write `$ARGUMENTS[0]` for the first argument, which means the same everywhere.',
    sources: [CLIENT_PAGES.claudeCode],
    check: ({ body, bodyLine }, report) => {
      const found = shortPlaceholders(body).filter(({ isCode }) => !isCode)
      const first = found.find(({ name }) => name === '$1')
      if (first === undefined || found.some(({ name }) => name === '$0')) return
      const { line, column } = placeAt(body, first.at)
      report('In Claude Code $1 is the second argument; here, in a text without $0, the first.', {
        line: line + bodyLine - 1,
        column,
      })
    },
  },
  'portable-client-field': {
    severity: ['warning'],
    what: 'A field that only some clients read; others ignore it or refuse the skill.',
    hint: 'Do not rely on it if the skill should work everywhere.',
    sources: FIELD_SOURCES,
    check: ({ fields }, report) => {
      for (const [field, { place }] of fields) {
        const clients = CLIENT_FIELDS.get(field)
        if (clients === undefined) continue
        report(
          `Of the known clients, only ${clients.join(', ')} ${clients.length === 1 ? 'reads' : 'read'} the field "${field}"; it has no effect in the others.`,
          place,
          LIMITING_FIELDS.has(field)
            ? 'Keep it, and do not rely on it elsewhere: without it, the skill has no such limit anywhere.'
            : 'Remove it, or write its meaning into the instructions.',
        )
      }
    },
  },
}

/** Rules of clients for the file itself and its place. */
const CLIENT_FILE_RULES: Readonly<Record<string, ClientRule>> = {
  'portable-file-name': {
    severity: ['warning'],
    what: 'The file is `skill.md`: Codex and Gemini CLI look for `SKILL.md` only.',
    hint: 'Rename it to SKILL.md.',
    sources: [CLIENT_PAGES.codex, CLIENT_PAGES.geminiCli],
    check: ({ file }, report) => {
      if (/[\\/]SKILL\.md$/.test(file)) return
      report('The file is not named SKILL.md: Codex and Gemini CLI find no other name.')
    },
  },
  'portable-nested': {
    severity: ['warning'],
    what: 'The skill is more than one folder below `skills`: Claude Code and Gemini CLI search no deeper.',
    hint: 'Move its folder directly below `skills`.',
    sources: [CLIENT_PAGES.claudeCode, CLIENT_PAGES.geminiCli],
    check: ({ file, isOfPlugin }, report) => {
      if (isOfPlugin) return
      const parts = file.split(/[\\/]/).slice(0, -2)
      const depth = parts.length - 1 - parts.lastIndexOf('skills')
      if (!parts.includes('skills') || depth === 0) return
      report(
        `The skill is ${depth + 1} folders below "skills", where Claude Code and Gemini CLI do not search.`,
        undefined,
        'Move its folder directly below "skills".',
      )
    },
  },
  'portable-dropped': {
    severity: ['warning'],
    what: 'A client leaves the skill out: for a byte order mark, a missing name, a name of more than 64 characters, or an `argument-hint` that is a list. Seen with Codex 0.169, OpenCode 1.18, pi 0.73 and reports about Copilot CLI 1.0.65.',
    hint: 'Write a name of at most 64 characters, `argument-hint` in quotes, and UTF-8 without a byte order mark.',
    sources: [CLIENT_PAGES.codex, CLIENT_PAGES.copilotCli, CLIENT_PAGES.openCode, CLIENT_PAGES.pi],
    check: (skill, report) => {
      const { fields, text } = skill
      if (text?.startsWith('\uFEFF')) {
        report('Codex and pi leave out a file with a byte order mark.', FILE_START)
      }
      if (fields.size === 0) return
      if (!fields.has('name')) report('OpenCode leaves out a skill without a name.', FILE_START)
      if ([...(fieldText(skill, 'name') ?? '')].length > SPECIFICATION_LIMITS.name) {
        const limit = SPECIFICATION_LIMITS.name
        report(
          `Codex leaves out a name of more than ${limit} characters.`,
          fieldPlace(skill, 'name'),
        )
      }
      const hint = fields.get('argument-hint')?.node
      if (hint?.kind === 'list') {
        const advice = 'Put it in quotes: argument-hint: "[name]".'
        report('Copilot CLI leaves out a skill whose argument-hint is a list.', hint.place, advice)
      }
    },
  },
  'portable-fence': {
    severity: ['warning'],
    what: 'A line of `---` around the front matter has spaces at its end: Gemini CLI does not recognise it.',
    hint: 'Make the line exactly `---`.',
    sources: [CLIENT_PAGES.geminiCli],
    check: ({ text }, report) => {
      const lines = (text ?? '').split(/\r\n?|\n/)
      const line = lines.findIndex((one) => /^---[ \t]+$/.test(one))
      const end = lines.findIndex((one, index) => index > 0 && /^---[ \t]*$/.test(one))
      if (line < 0 || line > Math.max(end, 0)) return
      report(
        'The --- line has spaces at its end, so Gemini CLI does not recognise it.',
        { line: line + 1, column: 4 },
        'Make the line exactly ---.',
      )
    },
  },
}

/** Rules of known clients in addition to the specification, by code. */
export const CLIENT_RULES: Readonly<Record<string, ClientRule>> = {
  ...CLIENT_NAME_RULES,
  ...CLIENT_TEXT_RULES,
  ...CLIENT_FILE_RULES,
}

/** Limits of clients that the specification does not have. */
export const CLIENT_CODES: DiagnosticGroup = {
  title: 'Clients',
  origin:
    'Rules in the documentation or source code of known clients, in addition to the specification. Limits that they share with it (64 and 1,024 characters, the name of the folder) have its codes.',
  level: 'portable',
  codes: {
    ...CLIENT_RULES,
    'client-list': {
      severity: ['warning'],
      what: 'With `--for`: a client leaves the skill out of its list, cuts its description, shows its name alone, or lists another skill of its name. Its rules were taken from running it (docs/clients.md); they replace the other findings about clients.',
      hint: 'Change what the finding names, or see what the client lists: loadout skills --as <client>.',
    },
  },
}

/** Checks a skill for problems with known clients that the specification does not have. */
export function checkClients(skill: LintSkill): readonly Diagnostic[] {
  if (skill.text === null) return []
  const findings = new Findings(skill.file)
  for (const [code, { severity, hint: usual, check }] of Object.entries(CLIENT_RULES)) {
    check(skill, (message, place, hint = usual) => {
      findings.add(severity[0], code, message, hint, place)
    })
  }
  return findings.list
}
