import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineComponent,
  defineIntent,
  defineSkill,
  defineTool,
  defineToolset,
  VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { aSkill, aTool } from './a-workspace.ts'

/** A value that only JavaScript can give. */
const any = (value: unknown): never => value as never

/** An object that cannot be turned into text. */
const bare = Object.create(null) as object

const catalog = await createCatalog({ skills: [aSkill('alpha')], tools: [aTool('read')] })

const aRun = () => 1

test.each<{ what: string; make: () => unknown; code: string; hint?: string }>([
  { what: 'createCatalog()', make: () => createCatalog(any(undefined)), code: 'CATALOG_INVALID' },
  {
    what: 'skils',
    make: () => createCatalog(any({ skils: [] })),
    code: 'CATALOG_INVALID',
    hint: '"skills"',
  },
  {
    what: 'strickt with what a loader returns',
    make: () => createCatalog(any({ scanned: {}, items: [], strickt: true })),
    code: 'CATALOG_INVALID',
    hint: '"strict"',
  },
  {
    what: 'variables',
    make: () => createCatalog(any({ skills: [], variables: {} })),
    code: 'CATALOG_INVALID',
  },
  { what: 'skills: {}', make: () => createCatalog(any({ skills: {} })), code: 'CATALOG_INVALID' },
  {
    what: 'skills: [null]',
    make: () => createCatalog(any({ skills: [null] })),
    code: 'CATALOG_INVALID',
  },
  {
    what: 'a raw skill',
    make: () => createCatalog(any({ skills: [{ name: 'x' }] })),
    code: 'CATALOG_INVALID',
  },
  {
    what: 'a raw agent',
    make: () => createCatalog(any({ agents: [{ name: 'x' }] })),
    code: 'CATALOG_INVALID',
  },
  { what: 'rules: [1]', make: () => createCatalog(any({ rules: [1] })), code: 'CATALOG_INVALID' },
  {
    what: 'components: [1]',
    make: () => createCatalog(any({ components: [1] })),
    code: 'COMPONENT_INVALID',
  },
  {
    what: 'strict: "yes"',
    make: () => createCatalog(any({ strict: 'yes' })),
    code: 'CATALOG_INVALID',
    hint: 'true or false',
  },
  {
    what: 'onDiagnostic: "log"',
    make: () => createCatalog(any({ onDiagnostic: 'log' })),
    code: 'CATALOG_INVALID',
    hint: 'function',
  },
  ...[null, 5, 'text', bare].map((name) => ({
    what: 'a tool with a wrong name',
    make: () =>
      defineTool(any({ name: name === 'text' ? bare : name, description: 'X.', execute: aRun })),
    code: 'TOOL_INVALID',
  })),
  ...[null, 5, 'text'].flatMap((schema) =>
    ['inputSchema', 'outputSchema'].map((field) => ({
      what: `${field}: ${schema}`,
      make: () => defineTool(any({ name: 'x', description: 'X.', [field]: schema, execute: aRun })),
      code: 'SCHEMA_UNSUPPORTED',
    })),
  ),
  {
    what: 'a skill without a text as name',
    make: () => defineSkill(any({ name: bare })),
    code: 'SKILL_INVALID',
  },
  {
    what: 'an agent without a text as name',
    make: () => defineAgent(any({ name: bare })),
    code: 'AGENT_INVALID',
  },
  {
    what: 'a toolset without a text as name',
    make: () => defineToolset(any({ name: bare })),
    code: 'TOOLSET_INVALID',
  },
  {
    what: 'a component without a text as key',
    make: () => defineComponent(any({ key: bare })),
    code: 'COMPONENT_INVALID',
  },
  {
    what: 'an intent without a text as type',
    make: () => defineIntent(any({ type: bare })),
    code: 'INTENT_INVALID',
  },
])('$what is refused as $code', async ({ make, code, hint = '' }) => {
  await expect(async () => make()).rejects.toMatchObject({
    name: 'WorkspaceError',
    code,
    hint: expect.stringContaining(hint),
  })
})

test.each<{ options: object; code?: string; hint?: string }>([
  { options: { policy: { mode: 'vioce' } }, code: 'MODE_UNKNOWN', hint: '"voice"' },
  { options: { policy: { mode: 5 } } },
  { options: { policy: { onResume: 'tigthen' } }, hint: '"tighten"' },
  { options: { catalog: createCatalog({}) } },
  { options: { catalog: {} } },
  { options: { agent: 5 } },
  { options: { agent: { name: 'raw' } } },
  { options: { agent: defineAgent({ name: 'x', mode: 'shout' }) }, code: 'MODE_UNKNOWN' },
  { options: { log: 5 } },
  { options: { principal: 'ada' } },
  { options: { approvals: {} } },
  { options: { tokenCounter: 5 } },
  { options: { variables: 5 } },
  { options: { components: 5 } },
  { options: { intents: {} } },
  { options: { intents: [{}] } },
  { options: { intents: [null] } },
  { options: { tools: 5 } },
  { options: { readOnly: 'yes' } },
  { options: { at: 'end' } },
  { options: { redact: { kys: [] } }, hint: '"keys"' },
  { options: { confirmations: { keepArguments: 'no' } }, hint: 'true or false' },
  { options: { onHandlerError: 'log' } },
  { options: { scripts: {} } },
  { options: { components: [{}] }, code: 'COMPONENT_INVALID' },
  { options: { exposure: 'brige' }, code: 'EXPOSURE_UNKNOWN' },
  { options: { discovery: true } },
  { options: { discovery: { onFound: 'activate-on-cal' } }, hint: '"activate-on-call"' },
  { options: { discovery: { limt: 3 } }, code: 'DISCOVERY_INVALID', hint: '"limit"' },
])(
  'a workspace opened with $options is refused',
  async ({ options, code = 'OPTIONS_INVALID', hint = '' }) => {
    await expect(VirtualWorkspace.open({ catalog, ...options })).rejects.toMatchObject({
      name: 'WorkspaceError',
      code,
      hint: expect.stringContaining(hint),
    })
  },
)

test.each<{ rule: unknown }>([
  { rule: { tool: undefined } },
  { rule: { tool: 'read', where: undefined } },
  { rule: /^read$/ },
  { rule: new Date(0) },
  { rule: new Map([['tool', 'read']]) },
])('a rule $rule, which would match more than was meant, is refused', async ({ rule }) => {
  const permissions = { allow: [any(rule)] }
  await expect(VirtualWorkspace.open({ catalog, policy: { permissions } })).rejects.toMatchObject({
    code: 'POLICY_INVALID',
  })
})

test.each([
  { source: 'skil', hint: 'skill' },
  { source: 'skils:vault', hint: 'skill' },
  { source: '', hint: 'component' },
])('a rule about the source "$source", which no tool has, is refused', async ({ source, hint }) => {
  const policy = { permissions: { deny: [{ source }] } }
  await expect(VirtualWorkspace.open({ catalog, policy })).rejects.toMatchObject({
    code: 'POLICY_INVALID',
    message: expect.stringContaining(hint),
  })
})

test.each(['skill', 'skill:*', 'sk*', '*', '*:cart', 'global:loadout', 'component:cart'])(
  'a rule may be about the source "%s"',
  async (source) => {
    const policy = { permissions: { deny: [{ source }] } }
    expect((await VirtualWorkspace.open({ catalog, policy })).state.policy.deny).toHaveLength(1)
  },
)

test('a session whose log has a rule about a source that no tool has is still opened', async () => {
  const log = createMemoryLog()
  const shared = { catalog, log, session: 's' }
  await VirtualWorkspace.open(shared)
  const [opening] = await log.read('s')
  if (opening?.event.type !== 'session.opened') throw new Error('No opening.')
  const policy = { ...opening.event.policy, deny: [{ source: 'skil' }] }
  const earlier = createMemoryLog()
  await earlier.append('s', 0, [{ ...opening, event: { ...opening.event, policy } }])
  const given = { permissions: { ask: ['read'] } }
  const workspace = await VirtualWorkspace.open({ ...shared, log: earlier, policy: given })
  expect(workspace.state.policy).toMatchObject({ deny: [{ source: 'skil' }], ask: ['read'] })
})

test.each<{
  what: string
  give: (workspace: VirtualWorkspace) => unknown
  hint?: string
  code?: string
}>([
  {
    what: 'activateSkill(name, lifetme)',
    give: (one) => one.activateSkill('alpha', any({ lifetme: 1 })),
    hint: '"lifetime"',
  },
  { what: 'activateSkill(name, null)', give: (one) => one.activateSkill('alpha', any(null)) },
  {
    what: 'activateSkill by the model',
    give: (one) => one.activateSkill('alpha', any({ by: 'model' })),
    hint: '"host", "user"',
  },
  { what: 'activateSkill()', give: (one) => one.activateSkill(any(undefined)) },
  { what: 'activateSkill(object)', give: (one) => one.activateSkill(any(bare)) },
  {
    what: 'deactivateSkill(cascad)',
    give: (one) => one.deactivateSkill('alpha', any({ cascad: true })),
    hint: '"cascade"',
  },
  {
    what: 'a caller',
    give: (one) => one.callTool('read', {}, any({ caller: 'root' })),
    hint: '"model", "user", "host"',
  },
  { what: 'the caller "tool"', give: (one) => one.callTool('read', {}, any({ caller: 'tool' })) },
  {
    what: 'callTool(backgroud)',
    give: (one) => one.callTool('read', {}, any({ backgroud: true })),
    hint: '"background"',
  },
  {
    what: 'callTool(signal: {})',
    give: (one) => one.callTool('read', {}, any({ signal: {} })),
    hint: 'AbortController',
  },
  {
    what: 'callTool(onOutput: "log")',
    give: (one) => one.callTool('read', {}, any({ onOutput: 'log' })),
    hint: 'function',
  },
  {
    what: 'calls.waitFor(signal: {})',
    give: (one) => one.calls.waitFor('x', any({ signal: {} })),
    hint: 'AbortController',
  },
  {
    what: 'setPermissions()',
    give: (one) => one.setPermissions(any(undefined)),
    code: 'POLICY_INVALID',
    hint: 'deny',
  },
  { what: 'callTool(null)', give: (one) => one.callTool('read', {}, any(null)) },
  { what: 'approve by the model', give: (one) => one.approve('x', any({ by: 'model' })) },
  {
    what: 'approve(rember)',
    give: (one) => one.approve('x', any({ rember: 'call' })),
    hint: '"remember"',
  },
  {
    what: 'approve for ever',
    give: (one) => one.approve('x', any({ remember: 'sesion' })),
    hint: '"session"',
  },
  { what: 'approve()', give: (one) => one.approve(any(undefined)) },
  { what: 'deny by the model', give: (one) => one.deny('x', any({ by: 'model' })) },
  {
    what: 'approvals.revoke by the model',
    give: (one) => one.approvals.revoke('x', any({ by: 'model' })),
  },
  {
    what: 'setMode(vioce)',
    give: (one) => one.setMode('vioce'),
    code: 'MODE_UNKNOWN',
    hint: '"voice"',
  },
  { what: 'setMode()', give: (one) => one.setMode(any(undefined)) },
  { what: 'setSummary(5)', give: (one) => one.setSummary(any(5)) },
  { what: 'explain(object)', give: (one) => one.explain(any(bare)) },
  { what: 'explainSkill(object)', give: (one) => one.explainSkill(any(bare)) },
  { what: 'isToolAvailable(object)', give: (one) => one.isToolAvailable(any(bare)) },
  { what: 'getToolSource(object)', give: (one) => one.getToolSource(any(bare)) },
  {
    what: 'setToolEnabled(name, "false")',
    give: (one) => one.setToolEnabled('read', any('false')),
  },
  {
    what: 'a tool whose "trusted" is the text "false"',
    give: (one) => one.registerTool(aTool('x'), any({ trusted: 'false' })),
    hint: 'true or false',
  },
  {
    what: 'callTool in the background "no"',
    give: (one) => one.callTool('read', {}, any({ background: 'no' })),
    hint: 'true or false',
  },
  {
    what: 'deactivateSkill(cascade: "no")',
    give: (one) => one.deactivateSkill('alpha', any({ cascade: 'no' })),
    hint: 'true or false',
  },
  { what: 'callTool(call: 5)', give: (one) => one.callTool('read', {}, any({ call: 5 })) },
  { what: 'takeCatalog({})', give: (one) => one.takeCatalog(any({})) },
  {
    what: 'registerSkill()',
    give: (one) => one.registerSkill(any(undefined)),
    code: 'CATALOG_INVALID',
  },
  {
    what: 'recordIntent of another command',
    give: (one) => one.calls.recordIntent(any({ type: 'policy.set', policy: one.state.policy })),
    hint: '"intent.take", "intent.settle"',
  },
  { what: 'setToolEnabled(object)', give: (one) => one.setToolEnabled(any(bare), true) },
  {
    what: 'registerTool(onConflit)',
    give: (one) => one.registerTool(aTool('x'), any({ onConflit: 'shadow' })),
    hint: '"onConflict"',
  },
  {
    what: 'registerTool(shadwo)',
    give: (one) => one.registerTool(aTool('x'), any({ onConflict: 'shadwo' })),
    hint: '"shadow"',
  },
  {
    what: 'registerComponent(null)',
    give: (one) => one.registerComponent(any(null)),
    code: 'COMPONENT_INVALID',
  },
  { what: 'prompt(formt)', give: (one) => one.prompt(any({ formt: 'xml' })), hint: '"format"' },
  {
    what: 'prompt as JSON',
    give: (one) => one.prompt(any({ format: 'json' })),
    hint: '"markdown"',
  },
  { what: 'beginStep(x)', give: (one) => one.beginStep(any({ x: 1 })) },
  { what: 'compact(x)', give: (one) => one.compact(any({ x: 1 })) },
  { what: 'look(text)', give: (one) => one.sessions.look(any('end')) },
])(
  '$what is refused, and nothing is recorded',
  async ({ give, code = 'OPTIONS_INVALID', hint = '' }) => {
    const workspace = await VirtualWorkspace.open({ catalog })
    const { seq } = workspace.state
    await expect(async () => give(workspace)).rejects.toMatchObject({
      name: 'WorkspaceError',
      code,
      hint: expect.stringContaining(hint),
    })
    expect(workspace.state.seq).toBe(seq)
  },
)
