import { defineAgent, defineComponent, type Tool } from 'loadout'
import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/model/command.ts'
import { decide } from '../../src/engine/decide/decide.ts'
import { contentHash } from '../../src/kernel/content-hash.ts'
import { aSkill, aTool } from '../workspace/a-workspace.ts'
import { contextOf, OPENING as OPEN, order, stateAfter } from './a-session.ts'

/** More than a component's state may take. */
const LARGE = 'x'.repeat(65_536)

const note = aTool('note')
const other = aTool('note', { description: 'Another.' })
const shown = aTool('shown')
const board = defineComponent({
  key: 'board',
  initialState: null,
  tools: [note],
  panel: () => ({ title: 'Board', lines: [] }),
})

const CONTEXT = await contextOf(
  {
    skills: [
      aSkill('owls', { aliases: ['birds'] }),
      aSkill('mice', { conflicts: ['owls'] }),
      aSkill('barn', { requires: ['owls'] }),
      aSkill('lost', { requires: ['nowhere'] }),
      aSkill('round', { requires: ['trip'] }),
      aSkill('trip', { requires: ['round'] }),
      aSkill('barred'),
      aSkill('clash', { tools: [other] }),
      aSkill('asks', { tools: [aTool('asked', { requiresConfirmation: true })] }),
    ],
    components: [board],
    tools: [shown],
  },
  {
    agent: defineAgent({
      name: 'clerk',
      skills: ['owls', 'mice', 'barn', 'lost', 'round', 'trip', 'clash', 'asks'],
    }),
  },
)

/** Nobody may act in this session's turns. */
const OPENING = { ...OPEN, policy: { ...OPEN.policy, callsPerTurn: { action: 0 } } }

const register = (tools: readonly Tool[], more: object = {}): Command => ({
  type: 'source.register',
  source: 'component',
  owner: 'board',
  tools,
  onConflict: 'refuse',
  ...more,
})

const activate = (skill: string): Command => ({ type: 'skill.activate', skill })

const asked = CONTEXT.catalog.skillTools.get('asks')?.[0]?.tool as Tool

const call = (tool: string, more: object = {}): Command => ({
  type: 'call.start',
  call: 'c',
  tool,
  hash: tool === 'asked' ? asked.hash : note.hash,
  since: 1,
  input: { ok: true, digest: contentHash({}) },
  caller: 'model',
  confirmationMs: 100,
  ...more,
})

test.each<{ what: string; before: Command[]; command: Command; code: string }>([
  { what: 'opening twice', before: [], command: OPENING, code: 'session-already-open' },
  { what: 'an unknown skill', before: [], command: activate('cows'), code: 'skill-unknown' },
  {
    what: 'an active skill',
    before: [activate('owls')],
    command: activate('Birds'),
    code: 'skill-already-active',
  },
  { what: 'a barred skill', before: [], command: activate('barred'), code: 'not-permitted' },
  {
    what: 'a conflicting skill',
    before: [activate('owls')],
    command: activate('mice'),
    code: 'conflicting',
  },
  {
    what: 'a lost requirement',
    before: [],
    command: activate('lost'),
    code: 'missing-requirement',
  },
  { what: 'a circle', before: [], command: activate('round'), code: 'requirement-cycle' },
  {
    what: 'a name that is taken',
    before: [register([note])],
    command: activate('clash'),
    code: 'tool-name-taken',
  },
  {
    what: 'a needed skill',
    before: [activate('barn')],
    command: { type: 'skill.deactivate', skill: 'owls' },
    code: 'required-by',
  },
  {
    what: 'a deactivation without an active skill',
    before: [],
    command: { type: 'skill.deactivate' },
    code: 'skill-not-active',
  },
  {
    what: 'a deactivation of one of many skills',
    before: [activate('barn')],
    command: { type: 'skill.deactivate' },
    code: 'skill-ambiguous',
  },
  {
    what: 'a deactivation of an unknown skill',
    before: [],
    command: { type: 'skill.deactivate', skill: 'cows' },
    code: 'skill-unknown',
  },
  {
    what: 'accepting an unchanged definition',
    before: [activate('owls')],
    command: { type: 'skill.accept', skill: 'owls' },
    code: 'skill-unchanged',
  },
  {
    what: 'accepting what is not active',
    before: [],
    command: { type: 'skill.accept', skill: 'owls' },
    code: 'skill-not-active',
  },
  {
    what: 'registering another tool of a name',
    before: [register([note])],
    command: register([other]),
    code: 'tool-name-taken',
  },
  {
    what: 'a first state that is too large',
    before: [],
    command: register([note], { state: LARGE }),
    code: 'state-too-large',
  },
  {
    what: 'unregistering what is not there',
    before: [],
    command: { type: 'source.unregister', source: 'component', owner: 'board' },
    code: 'not-registered',
  },
  {
    what: 'unregistering a tool of another name',
    before: [register([note])],
    command: { type: 'source.unregister', source: 'component', owner: 'board', tool: 'notes' },
    code: 'not-registered',
  },
  {
    what: 'switching an unknown tool',
    before: [],
    command: { type: 'tool.switch', tool: 'nothing', enabled: false },
    code: 'unknown',
  },
  {
    what: 'the state of an unknown component',
    before: [],
    command: { type: 'component.update', component: 'board', state: 1 },
    code: 'component-unknown',
  },
  {
    what: 'a state that is too large',
    before: [register([note])],
    command: {
      type: 'component.update',
      component: 'board',
      state: LARGE,
    },
    code: 'state-too-large',
  },
  { what: 'a call of an unknown tool', before: [], command: call('nothing'), code: 'unknown' },
  {
    what: 'a call with arguments that are wrong',
    before: [register([note])],
    command: call('note', {
      input: { ok: false, issues: [{ path: '/a', message: 'is missing' }] },
    }),
    code: 'input-invalid',
  },
  {
    what: 'a call checked against another definition',
    before: [register([note])],
    command: call('note', { hash: other.hash }),
    code: 'changed',
  },
  {
    what: 'a call that is asked about',
    before: [activate('asks')],
    command: call('asked'),
    code: 'confirmation-required',
  },
  {
    what: 'approving nothing',
    before: [],
    command: { type: 'confirmation.approve', id: 'f'.repeat(32) },
    code: 'confirmation-unknown',
  },
])('$what is refused: $code', ({ before, command, code }) => {
  const state = stateAfter(CONTEXT, [OPENING, ...before])
  const decision = decide(state, order(command), CONTEXT)
  if (decision.kind !== 'refused') throw new Error(`it was ${decision.kind}`)
  expect(decision.refusal).toMatchObject({
    code,
    message: expect.stringMatching(/\.$/u),
    hint: expect.stringMatching(/[.?]$/u),
  })
  const { event } = decision.drafts[0] ?? {}
  if (code === 'confirmation-required') expect(event?.type).toBe('confirmation.asked')
  else expect(event).toMatchObject({ type: 'command.refused', command: command.type, code })
  expect(decide(state, order(command), CONTEXT)).toEqual(decision)
})

test('a late answer to a confirmation is refused, and the confirmation expires', () => {
  const state = stateAfter(CONTEXT, [OPENING, activate('asks'), call('asked')])
  const late = order({ type: 'confirmation.deny', id: 'f'.repeat(32) }, { now: 1_100 })
  expect(decide(state, late, CONTEXT)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'confirmation-expired' },
    drafts: [{ event: { type: 'confirmation.expired' } }, { event: { type: 'command.refused' } }],
  })
  expect(stateAfter(CONTEXT, [late], state).confirmations).toEqual([])
})

test.each<{ what: string; before: Command[]; command: Command }>([
  {
    what: 'a switch that is so already',
    before: [],
    command: { type: 'tool.switch', tool: 'owls_tool', enabled: true },
  },
  {
    what: 'the resuming of a skill that left',
    before: [activate('owls'), { type: 'skill.deactivate', skill: 'owls' }],
    command: { type: 'skill.resume', skill: 'owls', since: 1 },
  },
  {
    what: 'the resuming of an earlier activation',
    before: [activate('owls'), { type: 'skill.deactivate', skill: 'owls' }, activate('owls')],
    command: { type: 'skill.resume', skill: 'owls', since: 1 },
  },
])('$what changes nothing', ({ before, command }) => {
  const state = stateAfter(CONTEXT, [OPENING, ...before])
  expect(decide(state, order(command), CONTEXT)).toEqual({ kind: 'accepted', drafts: [] })
})

test('an active skill is resumed by its hook, unless it is broken', () => {
  const state = stateAfter(CONTEXT, [OPENING, activate('owls')])
  const resume = order({ type: 'skill.resume', skill: 'owls', since: 1 })
  expect(decide(state, resume, CONTEXT)).toEqual({
    kind: 'planned',
    wanted: 'owls',
    hooks: [{ skill: 'owls', hook: 'onActivate', resumed: true }],
    drafts: [],
  })
  const broken = { ...state, broken: [{ skill: 'owls', seq: 2, message: 'no' }] }
  expect(decide(broken, resume, CONTEXT)).toEqual({ kind: 'accepted', drafts: [] })
})

test('the end of a lifetime changes nothing before the lifetime has ended', () => {
  const end = order(
    { type: 'skill.deactivate', skill: 'owls', cascade: true },
    { cause: { by: 'lifetime', of: 'owls' } },
  )
  const lasting = stateAfter(CONTEXT, [OPENING, activate('owls')])
  expect(decide(lasting, end, CONTEXT)).toEqual({ kind: 'accepted', drafts: [] })
  const spent = {
    ...lasting,
    open: lasting.open.map((one) => (one.owner === 'owls' ? { ...one, usesLeft: 0 } : one)),
  }
  expect(decide(spent, end, CONTEXT)).toMatchObject({ kind: 'planned', wanted: 'owls' })
})
