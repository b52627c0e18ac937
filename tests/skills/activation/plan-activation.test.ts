import { describe, expect, test } from 'vitest'
import {
  type ActivationRequest,
  planActivation,
} from '../../../src/skills/activation/plan-activation.ts'
import { skillsOf } from '../skills-of.ts'

const skills = skillsOf({
  report: { requires: ['charts', 'writing'] },
  charts: { requires: ['data'] },
  writing: {},
  data: {},
  focus: { exclusive: true, requires: ['writing'] },
  offline: { conflicts: ['online'] },
  online: {},
  sync: { requires: ['online'] },
  loop: { requires: ['knot'] },
  knot: { requires: ['tie'] },
  tie: { requires: ['knot'] },
  orphan: { requires: ['halfway'] },
  halfway: { requires: ['nowhere'] },
  contradiction: { requires: ['online', 'offline'] },
  hermit: { requires: ['focus'] },
})

function plan(
  wanted: string,
  active: readonly string[] = [],
  rest: Partial<ActivationRequest> = {},
) {
  return planActivation({
    wanted,
    skills,
    active,
    permitted: () => true,
    exclusiveAgent: false,
    replace: false,
    ...rest,
  })
}

test('requirements enter first, each with the skill that needs it', () => {
  expect(plan('report')).toEqual({
    ok: true,
    enter: [
      { skill: 'data', of: 'charts' },
      { skill: 'charts', of: 'report' },
      { skill: 'writing', of: 'report' },
      { skill: 'report', of: null },
    ],
    leave: [],
  })
})

test('a requirement that is active already does not enter again', () => {
  expect(plan('report', ['data', 'charts'])).toMatchObject({
    enter: [
      { skill: 'writing', of: 'report' },
      { skill: 'report', of: null },
    ],
  })
})

describe('who leaves', () => {
  test.each<[title: string, wanted: string, active: string[], rest: object, leave: object[]]>([
    [
      'all but its requirements, for an exclusive skill',
      'focus',
      ['writing', 'data', 'charts'],
      {},
      [
        { skill: 'charts', because: 'exclusive' },
        { skill: 'data', because: 'exclusive' },
      ],
    ],
    [
      'all but its requirements, under an exclusive agent',
      'charts',
      ['online', 'data'],
      { exclusiveAgent: true },
      [{ skill: 'online', because: 'exclusive' }],
    ],
    [
      'an active exclusive skill, when one it does not require enters',
      'data',
      ['writing', 'focus'],
      {},
      [{ skill: 'focus', because: 'exclusive' }],
    ],
    [
      'first what was activated last',
      'focus',
      ['data', 'online'],
      {},
      [
        { skill: 'online', because: 'exclusive' },
        { skill: 'data', because: 'exclusive' },
      ],
    ],
    [
      'with an exclusive skill, a skill that requires it since the catalog changed',
      'data',
      ['writing', 'hermit', 'focus'],
      {},
      [
        { skill: 'hermit', because: 'exclusive' },
        { skill: 'focus', because: 'exclusive' },
      ],
    ],
    ['nobody, when an exclusive skill gets its requirement', 'writing', ['focus'], {}, []],
    [
      'what conflicts, with those that require it, where it may be replaced',
      'offline',
      ['online', 'data', 'sync'],
      { replace: true },
      [
        { skill: 'sync', because: 'conflict' },
        { skill: 'online', because: 'conflict' },
      ],
    ],
    [
      'what conflicts, although only the other one says so',
      'online',
      ['offline'],
      { replace: true },
      [{ skill: 'offline', because: 'conflict' }],
    ],
    [
      'nobody for a conflict with one that leaves anyway',
      'offline',
      ['online'],
      { exclusiveAgent: true },
      [{ skill: 'online', because: 'exclusive' }],
    ],
    [
      'requirements that were there only for one that leaves',
      'data',
      ['writing', 'focus'],
      { requested: (name: string) => name !== 'writing' },
      [
        { skill: 'focus', because: 'exclusive' },
        { skill: 'writing', because: 'exclusive' },
      ],
    ],
    [
      'requirements that were there only for one that is replaced',
      'offline',
      ['online', 'sync'],
      { replace: true, requested: (name: string) => name !== 'online' },
      [
        { skill: 'sync', because: 'conflict' },
        { skill: 'online', because: 'conflict' },
      ],
    ],
  ])('%s', (_, wanted, active, rest, leave) => {
    expect(plan(wanted, active, rest)).toMatchObject({ ok: true, leave })
  })
})

test.each<[code: string, wanted: string, active: string[], rest: object, facts: object]>([
  ['missing-requirement', 'orphan', [], {}, { chain: ['orphan', 'halfway', 'nowhere'] }],
  ['requirement-cycle', 'loop', [], {}, { chain: ['loop', 'knot', 'tie', 'knot'] }],
  ['not-permitted', 'data', [], { permitted: () => false }, { chain: ['data'] }],
  [
    'not-permitted',
    'report',
    [],
    { permitted: (name: string) => name !== 'data' },
    { skill: 'data', chain: ['report', 'charts', 'data'] },
  ],
  ['conflicting', 'offline', ['online'], {}, { entering: 'offline', other: 'online' }],
  ['conflicting', 'sync', ['offline'], {}, { entering: 'online', declaredBy: 'offline' }],
  ['conflicting', 'contradiction', [], { replace: true }, { declaredBy: 'offline' }],
  ['conflicting', 'contradiction', ['online'], { replace: true }, { entering: 'offline' }],
  ['conflicting', 'hermit', [], { replace: true }, { exclusive: 'focus' }],
])('%s: activating %s while %j are active is refused', (code, wanted, active, rest, facts) => {
  expect(plan(wanted, active, rest)).toMatchObject({ ok: false, code, facts })
})

test('an active skill needs no permission', () => {
  expect(plan('charts', ['data'], { permitted: (name) => name === 'charts' }).ok).toBe(true)
})

test('a refusal names the problem and what to do', () => {
  const long = skillsOf(
    Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`s${n}`, { requires: [`s${n + 1}`] }]),
    ),
  )
  const refusals = [
    plan('orphan'),
    plan('loop'),
    plan('data', [], { permitted: () => false }),
    plan('report', [], { permitted: (name) => name !== 'data' }),
    plan('offline', ['online']),
    plan('sync', ['offline']),
    plan('contradiction'),
    plan('hermit'),
    plan('s0', [], { skills: long }),
  ]
  const texts = refusals.map((refusal) =>
    refusal.ok ? 'not refused' : `${refusal.message}\n  ${refusal.hint}`,
  )
  expect(texts.join('\n')).toMatchInlineSnapshot(`
    ""orphan" requires "halfway", which requires "nowhere", but there is no skill "nowhere".
      Add the skill "nowhere", or remove it from the requirements of "halfway".
    "loop" requires "knot", which requires "tie", which requires "knot": the requirements form a circle.
      Remove "knot" from the requirements of "tie".
    This agent may not activate "data".
      Add "data" to the skills of the agent.
    "report" requires "charts", which requires "data", which this agent may not activate.
      Add "data" to the skills of the agent.
    "offline" conflicts with "online", which is active.
      Deactivate "online" first, or activate "offline" in place of it.
    "sync" requires "online", which conflicts with "offline", which is active.
      Deactivate "offline" first, or activate "sync" in place of it.
    "contradiction" needs both "offline" and "online", which conflict.
      Remove "online" from the conflicts of "offline", or one of the two from the requirements.
    "hermit" requires "focus", which is exclusive: it can only be active together with its own requirements.
      Make "focus" not exclusive, or remove it from the requirements of "hermit".
    "s0" requires "s1", which requires "s2", which requires "s3", which requires (23 more), which requires "s27", which requires "s28", which requires "s29", which requires "s30", but there is no skill "s30".
      Add the skill "s30", or remove it from the requirements of "s29"."
  `)
})
