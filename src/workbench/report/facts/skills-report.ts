import { dirname, sep } from 'node:path'
import type {
  Diagnostic,
  Skill,
  SkillListing,
  SkillStatus,
  TokenCounter,
  WorkspaceReader,
  WorkspaceState,
} from '../../../entries/index.ts'
import { openSkill, refusedSkills, skillToolNames } from '../../../entries/kit.ts'
import { counted, formatCount, knownSkillTokens } from '../../../entries/plan.ts'
import type { Report, ReportColumn, ReportMark, ReportRows } from '../report.ts'
import { findingText, findingValue } from './finding-text.ts'
import { verdictReport } from './verdict-report.ts'

/** Facts that only the host of a session knows of its skills. */
export interface SkillFacts {
  /** The findings about the definitions; those of the catalog when absent. */
  readonly diagnostics?: readonly Diagnostic[]
  /** Returns the scope that a skill was read from. */
  scopeOf?(skill: Pick<Skill, 'path'> | undefined): string
  /** Returns the change on disk of a skill in words; empty for none. */
  change?(name: string): string
  /** True to show the scopes on the screen. */
  readonly isScoped?: boolean
}

/** A skill of a list: in a tree with its depth, and with an id of its own where it is listed again. */
type ReportedSkill = SkillListing & { readonly id?: string; readonly depth?: number }

type ReadSkill = ReturnType<typeof readSkill>

type Reader = Pick<WorkspaceReader, 'skills' | 'state' | 'catalog' | 'explainSkill'>

/** The skills of a session. */
export type SkillsReport = ReportRows<ReportedSkill, ReadSkill, ReadSkill['value']>

/** Lists the skills of a session, also those that could not be loaded: status, tools, tokens that each adds to a request. */
export function skillsReport(
  reader: Reader,
  counter: TokenCounter,
  facts: SkillFacts = {},
): SkillsReport {
  const refused = refusedSkills(reader.state.policy, reader.catalog)
  const changed = ({ name, unread }: SkillListing) => (unread ? '' : (facts.change?.(name) ?? ''))
  let listed: readonly ReportedSkill[] | undefined
  const all = () => (listed ??= reader.skills())
  return {
    kind: 'rows',
    of: 'skill',
    columns: facts.isScoped === true ? SCOPED : COLUMNS,
    get count() {
      return all().length
    },
    row: (index) => all()[index] as ReportedSkill,
    identify: (listing) => listing.id ?? skillId(listing),
    markWidth: 3,
    mark: (listing) => ({ ...MARKS[listing.status], note: changed(listing) && '!' }),
    read(listing) {
      const isOff =
        listing.status !== 'shadowed' && listing.unread === undefined && refused.has(listing.name)
      return readSkill(listing, isOff, changed(listing), facts, reader, counter)
    },
    json: ({ value }) => value,
    about: (listing) => aboutSkill(listing, reader),
    summary(skills = all()) {
      const active = skills.filter((one) => lifetimeText(reader.state, one) !== '')
      return `${formatCount(active.length)} of ${formatCount(skills.length)} active`
    },
  }
}

/** Reads a skill: what JSON has of it, and what only people read. What takes time is read when it is asked for. */
function readSkill(
  listing: SkillListing,
  off: boolean,
  change: string,
  { diagnostics, scopeOf }: SkillFacts,
  { state, catalog }: Reader,
  counter: TokenCounter,
) {
  const { name, skill, status, unread } = listing
  const path = (unread ?? skill)?.path
  const value = {
    name,
    displayName: skill?.displayName ?? name,
    description: skill?.description ?? '',
    path: path ?? null,
    /** Also `broken` for a SKILL.md that could not be loaded. */
    status,
    /** True when the rules deny a model to load it. */
    off,
    /** The place it was read from. */
    get scope() {
      return scopeOf?.(unread ?? skill)
    },
    get tools() {
      return skillToolNames(listing, state, catalog)
    },
    /** Tokens that its text and its tools add to a request; null when the log has only its description. */
    get tokens() {
      return skill === undefined ? 0 : knownSkillTokens(skill, catalog, counter)
    },
    get diagnostics() {
      const own = (diagnostics ?? catalog.diagnostics).filter(
        ({ file }) =>
          path !== undefined && (file === path || file?.startsWith(dirname(path) + sep)),
      )
      return own.map(findingValue)
    },
  }
  return { value, change, lifetime: () => lifetimeText(state, listing) }
}

const COLUMNS: readonly ReportColumn<ReadSkill>[] = [
  { title: 'SKILL', cell: ({ value }) => value.name, screen: { width: 15, grows: 1 } },
  {
    title: 'STATUS',
    cell({ value: { status, off } }) {
      // An inactive skill that no model may load.
      const text = !off ? status : status === 'inactive' ? 'off' : `${status}, off`
      return { text, tone: MARKS[status].tone }
    },
    screen: {},
    isStatus: true,
  },
  { title: 'SCOPE', cell: ({ value }) => value.scope ?? '', screenOnly: true },
  {
    title: 'TOOLS',
    align: 'right',
    cell: ({ value }) => value.tools.length,
    screen: { width: 6, rank: 2 },
  },
  {
    title: 'TOKENS',
    align: 'right',
    cell: ({ value }) => value.tokens,
    screen: { width: 7, rank: 1 },
  },
  {
    title: 'LIFETIME',
    cell: ({ lifetime }) => lifetime(),
    screen: { rank: 4 },
    screenOnly: true,
  },
  {
    title: 'ON DISK',
    cell: ({ change }) => ({ text: change, tone: 'asking' }),
    screen: { rank: 3 },
    screenOnly: true,
  },
  {
    title: 'DESCRIPTION',
    cell: ({ value }) =>
      value.description ||
      (value.diagnostics.find(({ severity }) => severity === 'error')?.message ?? ''),
  },
]

const SCOPED = COLUMNS.map((column) =>
  column.title === 'SCOPE' ? { ...column, screen: { width: 9 } } : column,
)

/** Returns the id of a skill: its name, with its path when another skill shadows it, or when the file is broken. */
export function skillId({ name, status, skill, unread }: SkillListing): string {
  const shadowed = status === 'shadowed' ? (skill?.path ?? skill?.hash ?? 'shadowed') : null
  const place = unread?.path ?? shadowed
  return place === null ? name : `${name} (${place})`
}

/** Describes the remaining lifetime of an active skill; empty for an inactive one. */
function lifetimeText(state: WorkspaceState, listing: SkillListing): string {
  const { name, status, unread } = listing
  const open = status === 'shadowed' || unread !== undefined ? null : openSkill(state, name)
  if (open === null) return ''
  const { lifetime, usesLeft, turn, lastTurn } = open
  if (usesLeft !== null) return `${counted(usesLeft, 'use')} left`
  if (lifetime === 'while') return 'while its condition holds'
  if (lifetime === 'session' || 'uses' in lifetime) return 'session'
  const over = Math.max(0, state.turn - ('turns' in lifetime ? turn : lastTurn))
  return 'turns' in lifetime
    ? `${counted(lifetime.turns - over, 'turn')} left`
    : `${counted(lifetime.idle - Math.max(0, over - 1), 'idle turn')} left`
}

/** Explains a skill, which may have the name of another one. */
function aboutSkill(
  { name, status, unread }: SkillListing,
  reader: Pick<WorkspaceReader, 'catalog' | 'explainSkill'>,
): Report {
  const used = reader.catalog.skills.get(name)
  const isOther = status === 'shadowed' || (unread !== undefined && used !== undefined)
  if (!isOther) return verdictReport(reader.explainSkill(name))
  const place = used?.path === undefined ? '.' : `: ${used.path}`
  return [
    { kind: 'heading', text: `${name} (skill)`, value: { text: status, tone: 'warning' } },
    { kind: 'text', text: `Another skill with this name is used${place}`, indented: true },
    ...(unread?.errors ?? []).map(
      (one) => ({ kind: 'text', text: findingText(one), indented: true }) as const,
    ),
  ]
}

const MARKS: Readonly<Record<SkillStatus, ReportMark>> = {
  active: { glyph: 'active', tone: 'good' },
  pending: { glyph: 'pending', tone: 'asking' },
  inactive: { glyph: 'inactive' },
  'not-permitted': { glyph: 'unusable', tone: 'bad' },
  conflicting: { glyph: 'unusable', tone: 'bad' },
  'missing-requirement': { glyph: 'unusable', tone: 'bad' },
  shadowed: { glyph: 'unusable' },
  broken: { glyph: 'unusable', tone: 'bad' },
  changed: { glyph: 'unusable', tone: 'bad' },
  unknown: { glyph: 'unusable', tone: 'bad' },
}
