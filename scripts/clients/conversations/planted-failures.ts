import { type Answer, type Conversation, markOf, type TalkingClient } from './conversation.ts'
import type { ObservedOutcome } from '../../../src/workbench/report/facts/verdict-report.ts'
import { CLIENT_WORDS } from '../../../src/connections/clients/place-fix.ts'
import type { ClientCase } from '../case-folder.ts'

/** A skill that is not used, for one planted reason. */
export interface PlantedFailure {
  readonly skill: string
  readonly outcome: ObservedOutcome
  readonly conversation: Conversation
}

/** A part of a failure: the folders, and the conversation where it is another one. */
interface Plan extends Partial<Pick<ClientCase, 'files' | 'bytes' | 'home' | 'make'>> {
  readonly outcome: ObservedOutcome
  readonly turns?: Conversation['turns']
  readonly window?: number
}

type Kind = (name: string, place: string) => Plan

const END: Answer = { text: 'All is done.' }

function body(name: string): string {
  return `# ${name}\n\n${markOf(name)}\n\nWork in small steps.\n`
}

function skill(name: string, ...fields: readonly string[]): string {
  const header =
    fields.length > 0 ? fields : [`name: ${name}`, `description: Does ${name} by date.`]
  return `---\n${header.join('\n')}\n---\n${body(name)}`
}

const asks = (name: string) => `Please do ${name.replace('-', ' ')} by date.`

const at =
  (path: (name: string) => string): Kind =>
  (name) => ({
    outcome: 'not found',
    files: { [path(name)]: skill(name) },
  })

const header =
  (outcome: ObservedOutcome, ...lines: readonly string[]): Kind =>
  (name, place) => ({
    outcome,
    files: {
      [`${place}/${name}/SKILL.md`]: skill(name, ...lines.map((one) => one.replace('NAME', name))),
    },
  })

const text =
  (outcome: ObservedOutcome, make: (name: string) => string): Kind =>
  (name, place) => ({ outcome, files: { [`${place}/${name}/SKILL.md`]: make(name) } })

const talk =
  (outcome: ObservedOutcome, ...answers: readonly Answer[]): Kind =>
  (name, place) => ({
    outcome,
    files: { [`${place}/${name}/SKILL.md`]: skill(name) },
    turns: [{ said: asks(name), answers: [...answers, END] }],
  })

const load = (name: string): Answer => ({ actions: [{ does: 'load', skill: name }] })

const lost: Kind = (name, place) => ({
  outcome: 'lost by compaction',
  files: { [`${place}/${name}/SKILL.md`]: skill(name) },
  window: 30_000,
  turns: [
    { said: asks(name), answers: [load(name), { ...END, tokens: 29_000 }] },
    { said: 'Go on.', answers: [END], compacts: true },
  ],
})

const settings =
  (outcome: ObservedOutcome, file: string, make: (name: string) => string): Kind =>
  (name, place) => ({
    outcome,
    files: { [`${place}/${name}/SKILL.md`]: skill(name), [file]: make(name) },
  })

const DEFINED_FIELDS = ['name: NAME', 'description: Does it by date.']

/** The same name in the home. */
const twin =
  (ofHome: string): Kind =>
  (name, place) => ({
    outcome: 'shadowed',
    files: { [`${place}/${name}/SKILL.md`]: skill(name) },
    home: {
      files: {
        [`${ofHome}/${name}/SKILL.md`]: skill(name, `name: ${name}`, 'description: Another one.'),
      },
    },
  })

/** Kinds that every client has. */
const COMMON: Readonly<Record<string, Kind>> = {
  'in-github': at((name) => `.github/skills/${name}/SKILL.md`),
  'in-cursor': at((name) => `.cursor/skills/${name}/SKILL.md`),
  'in-skills': at((name) => `skills/${name}/SKILL.md`),
  'in-package': at((name) => `packages/one/.agents/skills/${name}/SKILL.md`),
  nowhere: () => ({ outcome: 'not found' }),
  'small-letters': (name, place) => ({
    outcome: 'not found',
    files: { [`${place}/${name}/skill.md`]: skill(name) },
  }),
  'capital-letters': (name, place) => ({
    outcome: 'not found',
    files: { [`${place}/${name}/SKILL.MD`]: skill(name) },
  }),
  'passed-over': talk('passed over'),
  'passed-over-for-file': talk('passed over', { actions: [{ does: 'read', file: 'plan.txt' }] }),
  'passed-over-for-another': talk('passed over', load('plan-week')),
  'passed-over-twice': (name, place) => ({
    ...talk('passed over')(name, place),
    turns: [
      { said: asks(name), answers: [END] },
      { said: 'Again.', answers: [{ actions: [{ does: 'run', command: 'echo one' }] }, END] },
    ],
  }),
  lost,
}

/** Kinds of the clients that read the front matter as YAML and drop what they cannot read. */
const DROPPED: Readonly<Record<string, Kind>> = {
  'no-description': header('not listed', 'name: NAME'),
  'no-front-matter': text('not listed', (name) => body(name)),
  'broken-yaml': header('not listed', 'name: NAME', 'description: "Does it'),
  'name-in-list': header('not listed', 'name: [NAME]', 'description: Does it by date.'),
}

const KINDS: Readonly<Record<TalkingClient, Readonly<Record<string, Kind>>>> = {
  'claude-code': {
    ...COMMON,
    'in-agents': at((name) => `.agents/skills/${name}/SKILL.md`),
    deeper: at((name) => `.claude/skills/group/${name}/SKILL.md`),
    'hidden-by-field': header('disabled', ...DEFINED_FIELDS, 'disable-model-invocation: true'),
    'hidden-by-paths': header('disabled', ...DEFINED_FIELDS, 'paths: src/**/*.go'),
    'turned-off': settings('disabled', '.claude/settings.json', (name) =>
      JSON.stringify({ skillOverrides: { [name]: 'off' } }),
    ),
    'by-person-only': settings('disabled', '.claude/settings.json', (name) =>
      JSON.stringify({ skillOverrides: { [name]: 'user-invocable-only' } }),
    ),
    'name-only': settings('cut', '.claude/settings.json', (name) =>
      JSON.stringify({ skillOverrides: { [name]: 'name-only' } }),
    ),
    'too-long': header('cut', 'name: NAME', `description: ${'Does it by date. '.repeat(100)}`),
    'no-room': (name, place) => ({
      outcome: 'cut',
      window: 200_000,
      files: {
        [`${place}/${name}/SKILL.md`]: skill(
          name,
          `name: ${name}`,
          `description: ${'Does it by date. '.repeat(20)}`,
        ),
      },
      make: [{ under: place, count: 30, prefix: 'a', length: 200 }],
    }),
    twin: twin('.claude/skills'),
    denied: (name, place) => ({
      ...talk('refused', load(name))(name, place),
      files: {
        [`${place}/${name}/SKILL.md`]: skill(name),
        '.claude/settings.json': JSON.stringify({ permissions: { deny: [`Skill(${name})`] } }),
      },
    }),
  },
  codex: {
    ...COMMON,
    ...DROPPED,
    'in-claude': at((name) => `.claude/skills/${name}/SKILL.md`),
    'in-hidden-folder': at((name) => `.agents/skills/.drafts/${name}/SKILL.md`),
    'begins-with-mark': text('not listed', (name) => `\uFEFF${skill(name)}`),
    'long-name': header('not listed', `name: ${'long-'.repeat(14)}x`, 'description: Does it.'),
    twice: header('not listed', 'name: NAME', 'description: One.', 'description: Two.'),
    'by-person-only': (name, place) => ({
      outcome: 'disabled',
      files: {
        [`${place}/${name}/SKILL.md`]: skill(name),
        [`${place}/${name}/agents/openai.yaml`]: 'policy:\n  allow_implicit_invocation: false\n',
      },
    }),
    'turned-off': (name, place) => ({
      outcome: 'disabled',
      files: { [`${place}/${name}/SKILL.md`]: skill(name) },
      home: {
        files: { '.codex/config.toml': `[[skills.config]]\nname = "${name}"\nenabled = false\n` },
      },
    }),
    'too-long': header('cut', 'name: NAME', `description: ${'Does it by date. '.repeat(70)}`),
    'no-room': (name, place) => ({
      outcome: 'cut',
      files: {
        [`${place}/${name}/SKILL.md`]: skill(
          name,
          `name: ${name}`,
          `description: ${'Does it by date. '.repeat(30)}`,
        ),
      },
      make: [{ under: place, count: 120, prefix: 'a', length: 300 }],
    }),
    'wrong-path': (name, place) => ({
      ...talk('failed', { actions: [{ does: 'run', command: `cat skills/${name}/SKILL.md` }] })(
        name,
        place,
      ),
    }),
  },
  opencode: {
    ...COMMON,
    ...DROPPED,
    'in-pi': at((name) => `.pi/skills/${name}/SKILL.md`),
    'in-codex': at((name) => `.codex/skills/${name}/SKILL.md`),
    'no-name': header('not listed', 'description: Does it by date.'),
    'begins-with-at': header('not listed', 'name: NAME', 'description: @file does it'),
    'number-as-name': header('not listed', 'name: 7', 'description: Does it by date.'),
    'list-as-hint': header('not listed', ...DEFINED_FIELDS, 'argument-hint: [a] [b]'),
    'turned-off': settings('disabled', 'opencode.json', (name) =>
      JSON.stringify({ permission: { skill: { [name]: 'deny' } } }),
    ),
    denied: (name, place) => ({
      ...talk('refused', load(name))(name, place),
      files: {
        [`${place}/${name}/SKILL.md`]: skill(name),
        'opencode.json': JSON.stringify({ permission: { skill: { [name]: 'deny' } } }),
      },
    }),
  },
  pi: {
    ...COMMON,
    ...DROPPED,
    'in-claude': at((name) => `.claude/skills/${name}/SKILL.md`),
    'in-opencode': at((name) => `.opencode/skills/${name}/SKILL.md`),
    'begins-with-mark': text('not listed', (name) => `\uFEFF${skill(name)}`),
    'begins-with-at': header('not listed', 'name: NAME', 'description: @file does it'),
    colon: header('not listed', 'name: NAME', 'description: Does it: by date'),
    'list-as-hint': header('not listed', ...DEFINED_FIELDS, 'argument-hint: [a] [b]'),
    'hidden-by-field': header('disabled', ...DEFINED_FIELDS, 'disable-model-invocation: true'),
    'turned-off': settings('disabled', '.pi/settings.json', (name) =>
      JSON.stringify({ skills: [`!${name}`] }),
    ),
    twin: twin('.pi/agent/skills'),
    'wrong-path': (name, place) => ({
      ...talk('failed', { actions: [{ does: 'read', file: `skills/${name}/SKILL.md` }] })(
        name,
        place,
      ),
    }),
  },
}

/** The number of failures for each client. */
const COUNT = 40

const NAMES = ['tidy-notes', 'sort-mail', 'make-table']

/** Returns planted failures by name: each kind with a skill of one name, and then again with another one. */
export function plantedFailures(
  client: TalkingClient,
): readonly (readonly [id: string, failure: PlantedFailure])[] {
  const { place } = CLIENT_WORDS[client]
  const kinds = Object.entries(KINDS[client])
  return Array.from({ length: COUNT }, (_, index) => {
    const round = Math.floor(index / kinds.length)
    const [kind, make] = kinds[index % kinds.length] ?? ['', () => ({ outcome: 'unknown' })]
    const name = NAMES[round] ?? 'other'
    const { outcome, turns, window, files = {}, ...more } = make(name, place) as Plan
    const other = {
      [`${place}/plan-week/SKILL.md`]: skill(
        'plan-week',
        'name: plan-week',
        'description: Makes a plan.',
      ),
    }
    const conversation: Conversation = {
      case: { what: kind, files: { 'plan.txt': 'Bolts.\n', ...other, ...files }, ...more },
      turns: turns ?? [{ said: asks(name), answers: [END] }],
      ...(window !== undefined && { window }),
    }
    return [`${kind}-${name}`, { skill: name, outcome, conversation }] as const
  })
}
