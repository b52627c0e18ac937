import { expect, test } from 'vitest'
import {
  describeEntries,
  describeEntry,
} from '../../../../src/workbench/report/facts/timeline-report.ts'
import type { Cause } from '../../../../src/engine/model/cause.ts'
import { LOG_FORMAT, type WorkspaceEvent } from '../../../../src/engine/model/workspace-event.ts'
import { OPEN_POLICY, type Policy } from '../../../../src/engine/model/policy.ts'

const hash = `sha256:${'0'.repeat(64)}` as const
const user: Cause = { by: 'user' }
const opened = { definition: hash, claims: [], lifetime: 'session', requested: true } as const
const call = { call: 'c1', tool: 'refund', source: 'skill', owner: 'shop', hash } as const

const RULES: Policy = {
  ...OPEN_POLICY,
  deny: ['drop_*', { tool: 'shell', where: { command: 'rm *', 'env.*': '*' } }],
  ask: [{ skill: 'shop', source: 'skill', risk: ['moderate', 'destructive'] }],
  allow: [{}],
  allowedTools: 'restrict',
}

const model = { by: 'model', call: 'c1' } as const
const foundTool = { name: 'find_image', owner: 'images', source: 'skill', hash } as const
const search = {
  search: 'c1',
  query: 'find image',
  confidence: 0.9,
  route: 'lexical',
  latencyMs: 3,
} as const

const EVENTS: readonly (readonly [Cause, WorkspaceEvent])[] = [
  [
    { by: 'initial' },
    {
      type: 'session.opened',
      format: LOG_FORMAT,
      session: 's1',
      agent: null,
      catalog: hash,
      tokenizer: 'o200k_base',
      principal: null,
      policy: OPEN_POLICY,
    },
  ],
  [{ by: 'initial' }, { type: 'source.opened', source: 'component', owner: 'notes', ...opened }],
  [{ by: 'initial' }, { type: 'source.opened', source: 'global', owner: 'global', ...opened }],
  [
    { by: 'dependency', of: 'a' },
    { type: 'source.opened', source: 'skill', owner: 'b', ...opened },
  ],
  [user, { type: 'source.kept', owner: 'b', requested: true, lifetime: 'session' }],
  [user, { type: 'source.kept', owner: 'b', requested: false, lifetime: 'session' }],
  [
    { by: 'resume' },
    {
      type: 'policy.changed',
      policy: { ...OPEN_POLICY, mode: 'voice' },
    },
  ],
  [{ by: 'host' }, { type: 'policy.changed', policy: RULES }],
  [
    { by: 'lifetime', of: 'b' },
    { type: 'source.closed', source: 'skill', owner: 'b', names: null },
  ],
  [user, { type: 'source.closed', source: 'global', owner: 'global', names: ['x', 'y'] }],
  [user, { type: 'source.closed', source: 'component', owner: 'notes', names: null }],
  [user, { type: 'source.accepted', owner: 'b', definition: hash, claims: [] }],
  [user, { type: 'tool.switched', tool: 'x', enabled: false }],
  [{ by: 'host' }, { type: 'turn.begun', turn: 1 }],
  [
    { by: 'host' },
    {
      type: 'step.begun',
      step: 2,
      strategy: 'active',
      exposed: [{ name: 'x', hash }],
      sections: [],
    },
  ],
  [
    { by: 'model', call: 'c1' },
    { type: 'component.updated', component: 'notes', state: {} },
  ],
  [
    { by: 'model', call: 'c1' },
    {
      type: 'call.started',
      ...call,
      digest: hash,
      category: 'action',
      caller: 'model',
      confirmation: null,
    },
  ],
  [
    user,
    {
      type: 'call.ended',
      call: 'c1',
      tool: 'refund',
      ok: true,
      error: null,
      durationMs: 3,
      intents: [],
    },
  ],
  [
    user,
    {
      type: 'call.ended',
      call: 'c1',
      tool: 'refund',
      ok: false,
      error: 'TIMEOUT',
      durationMs: 3,
      intents: [],
      attempts: 2,
    },
  ],
  [
    { by: 'tool', call: 'c0' },
    { type: 'call.detached', call: 'c1', tool: 'refund', caller: 'tool' },
  ],
  [
    user,
    {
      type: 'confirmation.asked',
      id: '0f',
      tool: 'refund',
      hash,
      digest: hash,
      principal: null,
      expiresAt: 1,
    },
  ],
  [user, { type: 'confirmation.approved', id: '0f' }],
  [user, { type: 'confirmation.denied', id: '0f' }],
  [user, { type: 'confirmation.expired', id: '0f' }],
  [
    user,
    {
      type: 'command.refused',
      command: 'skill.activate',
      subject: 'x',
      code: 'skill-unknown',
      message: 'No skill is named "x".',
      hint: '',
    },
  ],
  [
    user,
    {
      type: 'activation.failed',
      skill: 'b',
      hook: 'onActivate',
      wanted: 'a',
      message: 'no',
      undone: ['c'],
      undoFailed: ['d'],
    },
  ],
  [{ by: 'resume' }, { type: 'skill.broken', skill: 'b', message: 'no' }],
  [
    { by: 'lifetime', of: 'b' },
    {
      type: 'source.closed',
      source: 'skill',
      owner: 'b',
      names: null,
      price: { tokensFreed: 120, prefixLost: 40 },
    },
  ],
  [model, { type: 'fact.noted', paths: ['src/a.ts', 'docs/b.md'] }],
  [{ by: 'host' }, { type: 'fact.noted', event: 'outage' }],
  [{ by: 'host' }, { type: 'fact.noted', event: 'outage', holds: false }],
  [model, { type: 'tool_discovery_start', search: 'c1', query: 'find image', limit: 5 }],
  [
    model,
    {
      type: 'tool_discovery_result',
      ...search,
      found: [foundTool],
      skills: ['images'],
      stopped: null,
      degraded: 'no connection',
    },
  ],
  [
    model,
    {
      type: 'tool_discovery_result',
      ...search,
      found: [],
      skills: [],
      stopped: null,
      degraded: null,
    },
  ],
  [
    model,
    {
      type: 'tool_discovery_result',
      ...search,
      found: [],
      skills: [],
      stopped: 'same-query',
      degraded: null,
    },
  ],
  [
    model,
    {
      type: 'tool_discovery_result',
      ...search,
      found: [],
      skills: [],
      stopped: 'aborted',
      degraded: null,
    },
  ],
  [model, { type: 'tools_enabled', search: 'c1', tools: [foundTool], latencyMs: 3, hitRate: null }],
  [
    { by: 'host' },
    {
      type: 'tools_evicted',
      tools: ['find_image', 'clock'],
      reason: 'idle',
      tokensFreed: 80,
      prefixLost: 0,
    },
  ],
  [model, { type: 'rules.sent', topics: [{ topic: 'images', hash }] }],
  [
    model,
    {
      type: 'extraction.drifted',
      tool: 'find_image',
      call: 'c1',
      what: 'unlike-schema',
      message: 'The result has nothing at "images".',
    },
  ],
  [{ by: 'host' }, { type: 'memory.summarised', summary: 'All is well.' }],
  [{ by: 'host' }, { type: 'memory.summarised', summary: null }],
]

test('every kind of entry is a line with its number, its cause and its event', () => {
  const lines = EVENTS.map(([cause, event], seq) => describeEntry({ seq, at: 0, cause, event }))
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "#0 when the session opened: session "s1" opened without an agent, in text mode
    #1 when the session opened: component "notes" registered, with 0 tools
    #2 when the session opened: global tools of "global" registered, with 0 tools
    #3 along with "a": skill "b" activated, with 0 tools
    #4 by the user: skill "b" was active only as a requirement and is now requested
    #5 by the user: skill "b" stays active for the skills that require it
    #6 when the session was resumed: policy changed, voice mode
    #7 by the host: policy changed, text mode; denies "drop_*", "shell" with argument command like "rm *" and argument env.* like "*"; asks first for tools of the skill "shop" with source "skill" and risk moderate or destructive; allows every tool; allowed-tools restrict
    #8 because its lifetime ended: skill "b" deactivated
    #9 by the user: global tools of "global" unregistered x, y
    #10 by the user: component "notes" unregistered
    #11 by the user: the changed skill "b" accepted, with 0 tools
    #12 by the user: tool "x" switched off
    #13 by the host: turn 1 began
    #14 by the host: step 2 began (active), with 1 tool exposed
    #15 by the model (call c1): state of the component "notes" changed
    #16 by the model (call c1): "refund" called (c1)
    #17 by the user: "refund" answered after 3 ms (c1)
    #18 by the user: "refund" failed with TIMEOUT after 3 ms and 2 attempts (c1)
    #19 by the handler of another call (c0): "refund" continues in the background (c1)
    #20 by the user: confirmation asked for a call of "refund" (0f)
    #21 by the user: confirmation 0f approved
    #22 by the user: confirmation 0f denied
    #23 by the user: confirmation 0f expired
    #24 by the user: REFUSED skill.activate "x" (skill-unknown): No skill is named "x".
    #25 by the user: FAILED to change "a": onActivate of "b": no; undone: c; could not be undone: d
    #26 when the session was resumed: BROKEN skill "b": no
    #27 because its lifetime ended: skill "b" deactivated; 120 tokens freed, 40 tokens after them read again
    #28 by the model (call c1): files used: src/a.ts, docs/b.md
    #29 by the host: event "outage" noted
    #30 by the host: event "outage" ended
    #31 by the model (call c1): search for "find image"
    #32 by the model (call c1): search for "find image" offered find_image, skill images, without vectors: no connection
    #33 by the model (call c1): search for "find image" offered nothing
    #34 by the model (call c1): search for "find image" answered with advice to stop (same-query)
    #35 by the model (call c1): search for "find image" aborted before it was answered
    #36 by the model (call c1): found tools enabled: find_image
    #37 by the host: found tools forgotten (idle for too long): find_image, clock; 80 tokens freed, 0 tokens after them read again
    #38 by the model (call c1): rules sent: images
    #39 by the model (call c1): DRIFT in the results of "find_image" (unlike-schema): The result has nothing at "images".
    #40 by the host: summary set
    #41 by the host: summary removed"
  `)
})

test('entries that follow each other and say the same are one line with their count', () => {
  const turn: WorkspaceEvent = { type: 'turn.begun', turn: 1 }
  const host: Cause = { by: 'host' }
  const causes = [host, host, user, host]
  const entries = causes.map((cause, at) => ({ seq: at + 4, at, cause, event: turn }))
  const [, second, , fourth] = entries.map(describeEntry)
  expect(describeEntries(entries).map(({ first, text }) => [first.seq, text])).toEqual([
    [4, second?.replace('#5', '#4 to #5, 2 times')],
    [6, fourth?.replace('#7', '#6').replace('the host', 'the user')],
    [7, fourth],
  ])
})
