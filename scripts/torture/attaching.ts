import fc from 'fast-check'
import type { TorturePart } from './torture-part.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import type { ModeTable } from '../../src/engine/model/modes.ts'
import type { Rule } from '../../src/engine/model/policy.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import type { PolicyOptions } from '../../src/workspace/open/workspace-options.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const RUNS = 20_000

/** Opens the session of a host in another process, with rules of its own, and calls a tool in the host. */
export const attaching: TorturePart = {
  name: 'attaching',
  claim:
    'A process that attaches to a session never lets its agent see other tools or do more, and a host that does is given the difference.',
  async run({ seed, scale, forMs }) {
    const numRuns = Math.ceil(RUNS * scale)
    const seen = { attached: 0, tightened: 0, reopened: 0, loosened: 0 }
    const attached = fc.asyncProperty(policy, policy, called, async (host, project, call) => {
      const alone = await callAfter(host, null, call)
      const after = await callAfter(host, { ...project, onResume: 'tighten' }, call)
      seen.attached += 1
      if (after.freedom < alone.freedom) seen.tightened += 1
      if (after.freedom > alone.freedom) throw new Error('The agent may do more than before.')
      if (after.registered !== alone.registered) throw new Error('The agent sees other tools.')
    })
    const reopened = fc.asyncProperty(policy, policy, called, async (host, again, call) => {
      const alone = await callAfter(host, null, call)
      const after = await callAfter(host, again, call)
      seen.reopened += 1
      if (after.freedom <= alone.freedom) return
      seen.loosened += 1
      if (!after.notices.includes('policy-loosened')) throw new Error('The host got no notice.')
    })
    const failures: string[] = []
    for (const property of [attached, reopened]) {
      const details = await fc.check(property, {
        seed,
        numRuns,
        interruptAfterTimeLimit: forMs / 2,
      })
      if (!details.failed) continue
      const problem = details.errorInstance
      const message = problem instanceof Error ? problem.message : String(problem)
      failures.push(`${message} ${JSON.stringify(details.counterexample)}`)
    }
    return {
      figures: {
        'pairs of a host and a process that attached': seen.attached,
        'of them, calls that were tightened': seen.tightened,
        'pairs of a host and its next opening': seen.reopened,
        'of them, calls that were loosened, with a notice': seen.loosened,
      },
      failures,
    }
  },
}

const input = {
  type: 'object',
  properties: { a: { type: 'string' } },
} as const

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: input,
    execute: () => name,
    ...more,
  })

const catalog = await createCatalog({
  skills: [
    defineSkill({
      name: 'alpha',
      description: 'For alpha.',
      permissions: ['read', 'alpha_tool'],
      tools: [tool('alpha_tool', { requiresConfirmation: true })],
    }),
  ],
  tools: [
    tool('read', { category: 'retrieval', requiresConfirmation: true }),
    tool('find', { category: 'retrieval' }),
    tool('send', { category: 'action', risk: 'moderate' }),
    tool('wipe', { category: 'action', risk: 'destructive' }),
    tool('speak', { modes: ['voice'] }),
  ],
})

/** The definitions of a process that attaches: other tools, and another definition of a shared one. */
const elsewhere = await createCatalog({
  skills: [...catalog.skills.values()],
  tools: [tool('read', { description: 'Reads otherwise.' }), tool('more')],
})

const modes: ModeTable = {
  kiosk: { tools: ['read', 'find'], calls: 1 },
  desk: { callsPerTurn: { action: 0 }, callsInSession: 2 },
  open: {},
}

const rules = fc.array(
  fc.constantFrom<Rule>(
    '*',
    'read',
    's*',
    { skill: 'alpha' },
    { source: 'global' },
    { risk: ['moderate', 'destructive'] },
    { tool: 'find', where: { a: '1' } },
    { where: { a: '*' } },
  ),
  { maxLength: 2 },
)

const permissions = fc.record(
  {
    deny: rules,
    ask: rules,
    allow: rules,
    allowedTools: fc.constantFrom('ignore', 'pre-approve', 'restrict'),
  },
  { requiredKeys: [] },
)

const policy: fc.Arbitrary<PolicyOptions> = fc.record(
  {
    mode: fc.constantFrom('text', 'voice', 'kiosk', 'desk', 'open'),
    modes: fc.constant(modes),
    permissions,
    callsPerTurn: fc.constantFrom<PolicyOptions['callsPerTurn'] & object>(
      {},
      { retrieval: 1 },
      { action: 0 },
    ),
  },
  { requiredKeys: ['modes'] },
)

/** A call by the model, after some others. */
const called = fc.record({
  tool: fc.constantFrom('alpha_tool', 'read', 'find', 'send', 'wipe', 'speak'),
  input: fc.constantFrom({}, { a: '1' }, { a: '2' }),
  before: fc.nat({ max: 2 }),
})

type Called = typeof called extends fc.Arbitrary<infer One> ? One : never

/**
 * Opens a session with the policy of its host, opens it again with another one (null: does not), and then calls a
 * tool in the host.
 */
async function callAfter(host: PolicyOptions, second: PolicyOptions | null, call: Called) {
  const shared = { catalog, log: createMemoryLog(), session: 's' }
  const workspace = await VirtualWorkspace.open({ ...shared, policy: host })
  await workspace.activateSkill('alpha')
  for (let index = 0; index < call.before; index += 1) await workspace.callTool('find', {})
  const own = second?.onResume === 'tighten' ? { catalog: elsewhere } : {}
  const again = second && (await VirtualWorkspace.open({ ...shared, ...own, policy: second }))
  const response = await workspace.callTool(call.tool, call.input, { caller: 'model' })
  const { open } = workspace.state
  await again?.close()
  await workspace.close()
  const asked = !response.ok && response.error.type === 'CONFIRMATION_REQUIRED'
  return {
    /** 2: it ran; 1: a person is asked; 0: it was refused. */
    freedom: response.ok ? 2 : asked ? 1 : 0,
    registered: JSON.stringify(open.map(({ owner, claims }) => [owner, claims])),
    notices: again?.notices.map(({ code }) => code) ?? [],
  }
}
