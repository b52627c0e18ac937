import fc from 'fast-check'
import { EDITIONS, EXTRAS, POLICIES, skillsOf, type Edition, type Lasting } from './universe.ts'

/** One operation on a session, as plain data, so that a failing sequence can be read and repeated. */
export type Deed =
  | {
      readonly do: 'activate'
      readonly skill: string
      readonly replace: boolean
      readonly lasting?: Lasting
    }
  | { readonly do: 'deactivate'; readonly skill: string | null; readonly cascade: boolean }
  | { readonly do: 'accept'; readonly skill: string }
  | { readonly do: 'switch'; readonly tool: string; readonly on: boolean }
  | { readonly do: 'register'; readonly extra: number }
  | { readonly do: 'unregister'; readonly tool: string }
  | { readonly do: 'register-notes' }
  | { readonly do: 'unregister-notes' }
  | { readonly do: 'restore-notes'; readonly count: number }
  | { readonly do: 'policy'; readonly policy: number }
  | { readonly do: 'turn' }
  | { readonly do: 'step' }
  | {
      readonly do: 'call'
      readonly tool: string
      readonly by: number | null
      readonly throws: boolean
    }
  /** `which` counts questions from the oldest; a number without a question is a guess. */
  | { readonly do: 'answer'; readonly which: number; readonly approve: boolean }
  | { readonly do: 'search'; readonly query: string }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'reopen'; readonly edition: Edition; readonly policy: number }

/** An operation, and for some the append at which the process dies. */
export interface Scene {
  readonly deed: Deed
  readonly dies?: { readonly at: number; readonly append: 'lost' | 'kept' }
}

const skill = fc.constantFrom(...skillsOf('first').map(({ name }) => name), 'nobody')

const TOOLS =
  'base_tool middle_tool shared note note aside__note notes/note clock clock once_tool brief_tool ' +
  'heir_tool idler_tool asker_tool asked asked fetch spoken frail_tool extra hidden_tool nothing'

const tool = fc.constantFrom(...TOOLS.split(' '))

const lasting = fc.constantFrom<Lasting>('session', { uses: 2 }, { turns: 2 }, { idle: 1 })

export const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('activate' as const),
      skill,
      replace: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('activate' as const), skill, replace: fc.boolean(), lasting }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('deactivate' as const),
      skill: fc.oneof({ weight: 6, arbitrary: skill }, fc.constant(null)),
      cascade: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('accept' as const), skill }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('switch' as const), tool, on: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('register' as const),
      extra: fc.nat({ max: EXTRAS.length - 1 }),
    }),
  },
  fc.record({
    do: fc.constant('unregister' as const),
    tool: fc.constantFrom('clock', 'extra', 'asked', 'fetch', 'note'),
  }),
  fc.constantFrom<Deed>({ do: 'register-notes' }, { do: 'unregister-notes' }),
  fc.record({ do: fc.constant('restore-notes' as const), count: fc.nat({ max: 9 }) }),
  fc.record({
    do: fc.constant('policy' as const),
    policy: fc.nat({ max: POLICIES.length - 1 }),
  }),
  { weight: 3, arbitrary: fc.constant<Deed>({ do: 'turn' }) },
  fc.constant<Deed>({ do: 'step' }),
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      tool,
      by: fc.constantFrom(0, 0, 0, 1, null),
      throws: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.constantFrom(0, 0, 0, 1, 2, 9),
      approve: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('search' as const),
      query: fc.constantFrom(
        'brief_tool',
        'idler',
        'heir',
        'fetch',
        'once',
        'zebra',
        'note',
        'spoken',
      ),
    }),
  },
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 4_000, 10_000) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reopen' as const),
      edition: fc.constantFrom(...EDITIONS),
      policy: fc.nat({ max: POLICIES.length - 1 }),
    }),
  },
)

const dies = fc.record({
  at: fc.integer({ min: 1, max: 4 }),
  append: fc.constantFrom('lost' as const, 'kept' as const),
})

/** The life of a session. */
export const scenes: fc.Arbitrary<readonly Scene[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ deed }) },
    { weight: 1, arbitrary: fc.record({ deed, dies }) },
  ),
  { maxLength: 30, size: 'max' },
)
