/**
 * The contents of the sessions of the model test, as plain data. The catalog and the model are made of it.
 */

/** The lifetime of an activation. */
export type Lasting =
  'session' | { readonly uses: number } | { readonly turns: number } | { readonly idle: number }

export interface ToolFact {
  readonly name: string
  readonly version: string
  readonly category: 'retrieval' | 'action' | 'utility'
  readonly asks: boolean
  /** The only mode in which it is available; null for any. */
  readonly mode: string | null
  /** A text of its description, so that editions of a catalog differ. */
  readonly wording: string
}

export interface SkillFact {
  readonly name: string
  readonly requires: readonly string[]
  readonly conflicts: readonly string[]
  readonly exclusive: boolean
  readonly onConflict: 'refuse' | 'shadow' | 'namespace'
  readonly lifetime: Lasting
  readonly tools: readonly ToolFact[]
  readonly wording: string
  /** When its `onActivate` throws. */
  readonly fails: 'never' | 'always' | 'resumed'
}

/** The catalogs with which a session is opened, one after another. */
export type Edition = 'first' | 'reworded' | 'shrunk'

export const EDITIONS: readonly Edition[] = ['first', 'reworded', 'shrunk']

const tool = (name: string, more: Partial<ToolFact> = {}): ToolFact => ({
  name,
  version: '1.0.0',
  category: 'utility',
  asks: false,
  mode: null,
  wording: '',
  ...more,
})

const skill = (name: string, more: Partial<SkillFact> = {}): SkillFact => ({
  name,
  requires: [],
  conflicts: [],
  exclusive: false,
  onConflict: 'refuse',
  lifetime: 'session',
  tools: [tool(`${name}_tool`)],
  wording: '',
  fails: 'never',
  ...more,
})

const shared = tool('shared')

const FIRST: readonly SkillFact[] = [
  skill('base', { tools: [tool('base_tool'), shared] }),
  skill('middle', { requires: ['base'] }),
  skill('top', { requires: ['middle'], tools: [shared, tool('top_tool')] }),
  skill('alone', { exclusive: true }),
  skill('cover', { tools: [tool('note', { version: '2.0.0' })], onConflict: 'shadow' }),
  skill('veil', { tools: [tool('note', { version: '3.0.0' })], onConflict: 'shadow' }),
  skill('aside', { tools: [tool('note', { version: '4.0.0' })], onConflict: 'namespace' }),
  skill('clash', { tools: [tool('note', { version: '5.0.0' })] }),
  skill('gild', { tools: [tool('clock', { version: '9.0.0' })], onConflict: 'shadow' }),
  skill('rival', { conflicts: ['base'] }),
  skill('once', { lifetime: { uses: 1 } }),
  skill('brief', { lifetime: { turns: 1 } }),
  skill('heir', { requires: ['brief'] }),
  skill('idler', { lifetime: { idle: 1 }, tools: [tool('idler_tool', { category: 'retrieval' })] }),
  skill('asker', {
    tools: [tool('asker_tool', { asks: true }), tool('spoken', { mode: 'voice' })],
  }),
  skill('stuck', { fails: 'always' }),
  skill('frail', { fails: 'resumed', tools: [shared, tool('frail_tool')] }),
  skill('hidden'),
]

const REWORDED = new Set(['middle', 'once', 'veil'])

/** Returns the skills of an edition: one edition has other texts, and one has fewer skills. */
export function skillsOf(edition: Edition): readonly SkillFact[] {
  switch (edition) {
    case 'first':
      return FIRST
    case 'reworded':
      return FIRST.map((one) => {
        if (!REWORDED.has(one.name)) return one
        const [first, ...rest] = one.tools
        const tools = first ? [{ ...first, wording: 'Newly.' }, ...rest] : []
        return one.name === 'middle' ? { ...one, wording: 'Newly.' } : { ...one, tools }
      })
    case 'shrunk':
      return FIRST.filter(({ name }) => name !== 'rival' && name !== 'idler')
  }
}

/** Tools that exist without a skill, in addition to the component's `note`. */
export const GLOBALS: readonly ToolFact[] = [
  tool('clock'),
  tool('asked', { asks: true, category: 'action' }),
  tool('fetch', { category: 'retrieval' }),
]

/** Tools a host registers while a session runs. */
export const EXTRAS: readonly ToolFact[] = [
  tool('clock', { version: '2.0.0' }),
  tool('extra'),
  tool('extra', { wording: 'Differently.' }),
  tool('note', { version: '7.0.0' }),
]

/** The tool of the component `notes`: it adds to the count that is its state. */
export const NOTE: ToolFact = tool('note')

/** The skills that the agent may load; `hidden` is not one of them. */
export const PERMITTED: readonly string[] = FIRST.map(({ name }) => name).filter(
  (name) => name !== 'hidden',
)

/** The skill that is active in a new session. */
export const INITIAL_SKILL = 'base'

/** Found tools are removed for every reason within a few operations. */
export const KEEP = { turns: 3, idleTurns: 1, cap: 2 }

/** The calls of a category that a turn may make. */
export const CALLS_PER_TURN = { retrieval: 2, action: 3 }

/** The time in which a question can be answered, in milliseconds. */
export const CONFIRMATION_MS = 10_000

/** The policies of a host. */
export interface Allowed {
  readonly mode: 'text' | 'voice'
  readonly deny: readonly string[]
  readonly ask: readonly string[]
}

export const POLICIES: readonly Allowed[] = [
  { mode: 'text', deny: [], ask: [] },
  { mode: 'voice', deny: [], ask: ['note'] },
  { mode: 'text', deny: ['base_*', 'aside__note'], ask: ['clock'] },
]

/** Returns a policy of a host by its number. */
export function policyAt(number: number): Allowed {
  const policy = POLICIES[number]
  if (policy === undefined) throw new Error(`there is no policy ${number}`)
  return policy
}

/** Returns the fields of a definition that its hash covers. */
export const identityOf = ({ name, version, wording }: ToolFact): string =>
  `${name}@${version}${wording}`

/** Returns the identity of an activated skill. When it changes, the skill is a different one. */
export const skillIdentity = ({ wording, tools }: SkillFact): string =>
  `${wording}|${tools.map(identityOf).join(',')}`
