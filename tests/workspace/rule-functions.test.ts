import {
  createCatalog,
  createMemoryLog,
  defineTool,
  forkSession,
  type PermissionRule,
  type VirtualWorkspace,
} from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Rule, RuleList } from '../../src/engine/model/policy.ts'
import { functionName } from '../../src/engine/model/stored-rule.ts'
import { aSkill, aTool, aWorkspace, history } from './a-workspace.ts'

const bash = defineTool({
  name: 'bash',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string().transform((text) => text.trim()) }),
  execute: ({ command }) => command,
})

const asksItself = (name: string) =>
  defineTool({
    name,
    description: 'Asks.',
    requiresConfirmation: true,
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => command,
  })

const deletes = ({ command }: { command: string }) => /\brm\b/.test(command) && 'it deletes files'

/** Returns `ran`, or the code of the refusal. */
async function outcome(workspace: VirtualWorkspace, command: string, tool = 'bash') {
  const answer = await workspace.callTool(tool, { command })
  return answer.ok ? 'ran' : answer.error.details['code']
}

const opened = (list: RuleList, rule: Rule) =>
  aWorkspace({ tools: [bash] }, { policy: { permissions: { [list]: [rule] } } })

test.each<[RuleList, object]>([
  ['deny', { ls: 'ran', rm: 'denied' }],
  ['ask', { ls: 'ran', rm: 'confirmation-required' }],
])('a function decides about each call: %s', async (list, expected) => {
  const workspace = await opened(list, { tool: 'bash', when: deletes })
  expect({ ls: await outcome(workspace, 'ls'), rm: await outcome(workspace, 'rm x') }).toEqual(
    expected,
  )
  expect(await workspace.approvals.asksAbout('bash', { command: 'rm x' })).toBe(list === 'ask')
  expect(await workspace.approvals.asksAbout('bash', { command: 'ls' })).toBe(false)
  expect(workspace.approvals.asksFirst('bash')).toBe(false)
  expect(workspace.isToolAvailable('bash')).toBe(true)
})

test('a function lets a call through that the definition asks about', async () => {
  const careful = asksItself('careful')
  const isList = ({ command }: { command: string }) => command === 'ls'
  const workspace = await aWorkspace(
    { tools: [careful] },
    { policy: { permissions: { allow: [{ tool: 'careful', when: isList }] } } },
  )
  expect(await outcome(workspace, 'ls', 'careful')).toBe('ran')
  expect(await outcome(workspace, 'rm', 'careful')).toBe('confirmation-required')
})

test('the log has the name of the function, its answers and its reason, and no argument', async () => {
  const workspace = await opened('ask', { tool: 'bash', when: deletes })
  expect(workspace.state.policy.ask).toEqual([{ tool: 'bash', when: 'deletes' }])
  await outcome(workspace, 'ls')
  await outcome(workspace, 'rm secret')
  const events = (await workspace.entries()).map(({ event }) => event)
  expect(events.find(({ type }) => type === 'call.started')).toMatchObject({
    answers: [{ list: 'ask', when: 'deletes', applies: false }],
  })
  const asks = { rule: { tool: 'bash', when: 'deletes' }, because: 'it deletes files' }
  expect(events.find(({ type }) => type === 'confirmation.asked')).toMatchObject({ asks })
  expect(workspace.state.confirmations).toMatchObject([{ asks }])
  expect(JSON.stringify(events)).not.toContain('secret')
})

test('a refusal and explain name the function', async () => {
  const workspace = await opened('deny', { tool: 'bash', when: deletes })
  const answer = await workspace.callTool('bash', { command: 'rm x' })
  expect(answer.ok ? '' : answer.error.message).toMatchInlineSnapshot(
    `"This call of "bash" is denied by the policy: "bash" when deletes says so: it deletes files. Other arguments may be allowed. Otherwise, ask the host to change its permissions."`,
  )
  expect(workspace.explain('bash').because.at(-1)?.text).toMatchInlineSnapshot(
    `"The policy denies calls for which the function "deletes" says so."`,
  )
})

test('a function without a name is known by its text', async () => {
  const workspace = await opened('deny', {
    when: ({ command }) => String(command).startsWith('rm'),
  })
  expect(workspace.state.policy.deny).toEqual([
    { when: expect.stringMatching(/^function [0-9a-f]{8}$/) },
  ])
  expect(await outcome(workspace, 'rm x')).toBe('denied')
  expect(await outcome(workspace, 'ls')).toBe('ran')
})

test('a function sees the arguments as given and as the handler gets them, who calls, and copies', async () => {
  const seen: unknown[] = []
  const look = (input: { command: string }, { signal, ...context }: { signal: AbortSignal }) => {
    seen.push({ ...input, ...context, aborted: signal.aborted })
    input.command = 'changed'
  }
  const workspace = await aWorkspace(
    { tools: [bash] },
    {
      principal: { id: 'ada' },
      services: { disk: 1 },
      session: 's',
      policy: { permissions: { deny: [{ when: look }] } },
    },
  )
  const answer = await workspace.callTool('bash', { command: ' ls' }, { caller: 'user' })
  expect(answer).toMatchObject({ data: 'ls' })
  const context = {
    principal: { id: 'ada' },
    services: { disk: 1 },
    session: 's',
    tool: 'bash',
    caller: 'user',
    aborted: false,
  }
  expect(seen).toEqual([
    { command: ' ls', ...context },
    { command: 'ls', ...context },
  ])
})

test('a function gets the services of the call', async () => {
  const seen: unknown[] = []
  const look = (_: unknown, { services }: { services: unknown }) => void seen.push(services)
  const workspace = await aWorkspace(
    { tools: [bash] },
    { services: 'of the session', policy: { permissions: { deny: [{ when: look }] } } },
  )
  await workspace.callTool('bash', { command: 'ls' })
  await workspace.callTool('bash', { command: 'ls' }, { services: 'of the call' })
  expect(seen).toEqual(['of the session', 'of the call'])
})

test('"where" and the other members narrow what a function is asked about', async () => {
  const asked: string[] = []
  const never = ({ command }: { command: string }) => {
    asked.push(command)
    return false
  }
  const rules: Rule[] = [
    { tool: 'bash', where: { command: 'git *' }, when: never },
    { tool: 'other', when: never },
  ]
  const workspace = await aWorkspace(
    { tools: [bash] },
    { policy: { permissions: { deny: rules } } },
  )
  await outcome(workspace, 'ls')
  await outcome(workspace, 'git push')
  expect(asked).toEqual(['git push'])
})

const broken: Record<string, Rule> = {
  throws: {
    when: function throws() {
      throw new Error('no network')
    },
  },
  rejects: {
    when: async function rejects() {
      throw new Error('no network')
    },
  },
  'answers oddly': { when: (() => 1) as never },
  'never ends': {
    when: function hangs() {
      return new Promise(() => undefined)
    },
  },
}

test.each(Object.entries(broken))(
  'a function that %s counts as the stricter answer',
  async (_, rule) => {
    const limits = { checkMs: 1 }
    const policy = (list: RuleList) => ({ permissions: { [list]: [rule] } })
    const results = await Promise.all(
      (['deny', 'ask', 'allow'] as const).map(async (list) => {
        const tools = [list === 'allow' ? asksItself('bash') : bash]
        const workspace = await aWorkspace({ tools }, { limits, policy: policy(list) })
        return outcome(workspace, 'ls')
      }),
    )
    expect(results).toEqual(['denied', 'confirmation-required', 'confirmation-required'])
  },
)

test('the reason of a question says that the function failed', async () => {
  const workspace = await aWorkspace(
    { tools: [bash] },
    { policy: { permissions: { ask: [broken['throws'] as Rule] } } },
  )
  await outcome(workspace, 'ls')
  expect(workspace.state.confirmations[0]?.asks?.because).toBe(
    'the function "throws" failed: no network',
  )
})

test('a secret in the exception of a function is not in the log', async () => {
  const secret = `ghp_${'aB3dE6gH9j'.repeat(4)}`
  const when = function refused() {
    throw new Error(`no access with ${secret}`)
  }
  const workspace = await opened('ask', { tool: 'bash', when })
  await outcome(workspace, 'ls')
  const log = JSON.stringify(await workspace.entries())
  expect(log).toContain('no access with [redacted]')
  expect(log).not.toContain(secret)
})

test('a process without the function judges the rule as the strictest, and says so', async () => {
  const log = createMemoryLog()
  const options = { log, session: 's' }
  const first = await aWorkspace(
    { tools: [bash] },
    { ...options, policy: { permissions: { deny: [{ tool: 'bash', when: deletes }] } } },
  )
  expect(await outcome(first, 'ls')).toBe('ran')
  await first.close()
  const second = await aWorkspace({ tools: [bash] }, options)
  expect(second.isToolAvailable('bash')).toBe(false)
  expect(await outcome(second, 'ls')).toBe('denied')
  expect(second.explain('bash').because.at(-1)?.text).toBe(
    'The policy denies "bash" when deletes says so: this process has no function "deletes".',
  )
  // The host gives its rules again, and the tool is back.
  await second.setPermissions({ deny: [{ tool: 'bash', when: deletes }] })
  expect(second.isToolAvailable('bash')).toBe(true)
  expect(await outcome(second, 'ls')).toBe('ran')
  expect(await outcome(second, 'rm x')).toBe('denied')
  await second.close()
  const third = await aWorkspace(
    { tools: [bash] },
    { ...options, policy: { permissions: { deny: [{ tool: 'bash', when: deletes }] } } },
  )
  expect(third.notices).toEqual([])
  expect(await outcome(third, 'ls')).toBe('ran')
})

test('a process that attaches judges recorded rules with its own function of the name', async () => {
  const log = createMemoryLog()
  const rule = { tool: 'bash', when: deletes }
  const host = await aWorkspace(
    { tools: [bash] },
    { log, session: 's', policy: { permissions: { deny: [rule] } } },
  )
  const attached = await aWorkspace(
    { tools: [bash] },
    { log, session: 's', policy: { permissions: { deny: [rule] }, onResume: 'tighten' } },
  )
  expect(attached.state.policy.deny).toHaveLength(1)
  expect([await outcome(attached, 'ls'), await outcome(attached, 'rm x')]).toEqual([
    'ran',
    'denied',
  ])
  await host.close()
})

test('rules that were read from the state can be given back, and unknown names are refused', async () => {
  const workspace = await opened('deny', { tool: 'bash', when: deletes })
  await workspace.setPermissions({ deny: [...workspace.state.policy.deny, 'other'] })
  expect([await outcome(workspace, 'ls'), await outcome(workspace, 'rm x')]).toEqual([
    'ran',
    'denied',
  ])
  await expect(workspace.setPermissions({ deny: [{ when: 'unheard' }] })).rejects.toThrow(
    'The policy is not valid: the session has no function "unheard".',
  )
})

test('two functions with one name are refused', async () => {
  const another = { deletes: () => true }.deletes
  const rules: PermissionRule[] = [
    { tool: 'a', when: deletes },
    { tool: 'b', when: another },
  ]
  await expect(aWorkspace({}, { policy: { permissions: { deny: rules } } })).rejects.toThrow(
    'Two functions of rules are "deletes".',
  )
  const workspace = await opened('deny', rules[0] as Rule)
  await expect(workspace.setPermissions({ ask: [rules[1] as Rule] })).rejects.toThrow(
    'Two functions',
  )
  await workspace.setPermissions({ deny: [rules[1] as Rule] })
})

test('a rule with a function about call_tool sees the arguments of call_tool', async () => {
  const named = ({ name }: { name: string }) => name === 'bash' && 'through the bridge'
  const workspace = await aWorkspace(
    { tools: [bash, aTool('other')] },
    {
      exposure: 'bridge',
      metaTools: ['call_tool'],
      policy: { permissions: { ask: [{ tool: 'call_tool', when: named }] } },
    },
  )
  const through = (name: string) =>
    workspace.callTool('call_tool', { name, arguments: name === 'bash' ? { command: 'ls' } : {} })
  expect((await through('other')).ok).toBe(true)
  expect(await through('bash')).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  expect(workspace.state.confirmations[0]?.asks?.because).toBe('through the bridge')
})

test('a function about loadSkill makes the model load the skill itself', async () => {
  const isVault = ({ skillName }: { skillName: string }) => skillName === 'vault' && 'the vault'
  const workspace = await aWorkspace(
    { skills: [aSkill('vault'), aSkill('notes')] },
    {
      metaTools: ['loadSkill'],
      policy: { permissions: { deny: [{ tool: 'loadSkill', when: isVault }] } },
    },
  )
  const load = (skillName: string) =>
    workspace.callTool('loadSkill', { skillName }, { caller: 'model' })
  expect((await load('notes')).ok).toBe(true)
  expect(await load('vault')).toMatchObject({ error: { type: 'DENIED' } })
})

test('a replayed session asks no function', async () => {
  const log = createMemoryLog()
  let asked = 0
  const count = () => {
    asked += 1
    return true
  }
  const workspace = await aWorkspace(
    { tools: [bash] },
    { log, session: 's', policy: { permissions: { ask: [{ when: count }] } } },
  )
  await outcome(workspace, 'ls')
  const before = asked
  const look = await aWorkspace({ tools: [bash] }, { log, session: 's', readOnly: true })
  expect(look.state).toEqual(workspace.state)
  expect(look.tools().map(({ status }) => status)).toEqual(['available'])
  expect(await history(look, 2)).toEqual(['confirmation.asked global'])
  expect(asked).toBe(before)
})

test('a call is held up exactly where the function says so', async () => {
  const call = fc.record({ n: fc.integer(), text: fc.string() })
  await fc.assert(
    fc.asyncProperty(
      fc.func<[string], boolean>(fc.boolean()),
      fc.array(call, { maxLength: 20 }),
      async (says, calls) => {
        const key = ({ n, text }: { n: number; text: string }) => `${n} ${text}`
        const judge = (input: { n: number; text: string }) => says(key(input))
        const tool = defineTool({
          name: 't',
          description: 'Counts.',
          inputSchema: z.object({ n: z.number(), text: z.string() }),
          execute: () => 1,
        })
        const workspace = await aWorkspace(
          { tools: [tool] },
          { policy: { permissions: { ask: [{ when: judge }] } } },
        )
        for (const input of calls) {
          const answer = await workspace.callTool('t', input)
          expect(answer.ok).toBe(!says(key(input)))
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('the name of a function is its own, or made of its text', () => {
  expect(functionName(deletes)).toBe('deletes')
  const rule = { when: () => true }
  expect(functionName(rule.when)).toBe(functionName(() => true))
  expect(functionName(rule.when)).not.toBe(functionName(() => false))
})

test('a fork keeps the rules that hold calls up, and judges them with the functions of its process', async () => {
  const log = createMemoryLog()
  const rules = { deny: [{ tool: 'bash', when: deletes }], allow: [{ when: () => true }] }
  const host = await aWorkspace(
    { tools: [bash] },
    { log, session: 's', policy: { permissions: rules } },
  )
  await forkSession(log, { from: 's', to: 'fork' })
  const strict = await aWorkspace({ tools: [bash] }, { log, session: 'fork' })
  expect(strict.state.policy).toMatchObject({ deny: host.state.policy.deny, allow: [] })
  expect(await outcome(strict, 'ls')).toBe('denied')
  await strict.setPermissions({ deny: rules.deny })
  expect([await outcome(strict, 'ls'), await outcome(strict, 'rm x')]).toEqual(['ran', 'denied'])
})

test('a catalog that is taken with other rules brings their functions', async () => {
  const workspace = await aWorkspace({ tools: [bash] })
  const permissions = { ask: [{ tool: 'bash', when: deletes }] }
  await workspace.takeCatalog(await createCatalog({ tools: [bash] }), { permissions })
  expect([await outcome(workspace, 'ls'), await outcome(workspace, 'rm x')]).toEqual([
    'ran',
    'confirmation-required',
  ])
})

test('a function that an attached process adds is the strictest rule for the host', async () => {
  const log = createMemoryLog()
  const options = { log, session: 's' }
  const host = await aWorkspace({ tools: [bash] }, options)
  const permissions = { ask: [{ tool: 'bash', when: deletes }] }
  const attached = await aWorkspace(
    { tools: [bash] },
    { ...options, policy: { permissions, onResume: 'tighten' } },
  )
  expect(await outcome(attached, 'ls')).toBe('ran')
  // The host reads the new rule while it appends its call.
  expect(await outcome(host, 'ls')).toBe('confirmation-required')
  expect(await outcome(host, 'cat')).toBe('confirmation-required')
  expect(host.state.confirmations.map(({ asks }) => asks?.because)).toEqual([
    'the rule is newer than the check of this call, so its function was not asked',
    'this process has no function "deletes"',
  ])
})
