import fc from 'fast-check'
import type { TorturePart } from './torture-part.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import type { PermissionRule, Rule, RuleList } from '../../src/engine/model/policy.ts'
import { matchesPattern } from '../../src/kernel/matches-pattern.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import type { ToolContext } from '../../src/tools/definition/tool-context.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import type { ToolResponse } from '../../src/tools/response/tool-response.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const CALLS = 20_000

/** Reaches tools and skills on every route under random rules, and compares with the rules read one by one. */
export const routes: TorturePart = {
  name: 'routes',
  claim:
    'A rule about a tool or a meta-tool holds on every route to it, and lists, explain and the gate agree.',
  async run({ seed, scale, forMs }) {
    const wanted = Math.ceil(CALLS * scale)
    const seen = { ran: 0, asked: 0, refused: 0 }
    const law = fc.asyncProperty(policies, routesToTake, async (rules, route) => {
      seen[await compare(rules, route)] += 1
    })
    const details = await fc.check(law, { seed, numRuns: wanted, interruptAfterTimeLimit: forMs })
    const problem = details.errorInstance
    const message = problem instanceof Error ? problem.message : String(problem)
    const tried = seen.ran + seen.asked + seen.refused
    return {
      figures: {
        'calls that ran': seen.ran,
        'calls that asked a person': seen.asked,
        'calls that were refused': seen.refused,
        'calls that a rule should have held up, or should not': details.failed ? 1 : 0,
      },
      failures: details.failed ? [`${message}\n${JSON.stringify(details.counterexample)}`] : [],
      done: details.failed ? 1 : tried / wanted,
    }
  },
}

const patterns = fc.constantFrom('loadSkill', 'call_tool', 'open_door', '*_door', 'vault*', '*')

const wheres = fc.constantFrom<NonNullable<PermissionRule['where']>>(
  { skillName: 'vault' },
  { skillName: 'Strong room' },
  { skillName: '*' },
  { name: 'open_door' },
  { name: '*door' },
  { 'arguments.key': 'red' },
  { key: 'red' },
)

const rule: fc.Arbitrary<Rule> = fc.oneof(
  patterns,
  fc.record({ tool: patterns, where: wheres }),
  fc.record({ skill: fc.constantFrom('vault', 'hall') }),
  fc.record({ risk: fc.constantFrom('safe' as const, 'moderate' as const) }),
  fc.record({ source: fc.constantFrom('global', 'skill:vault', 'global:loadout') }),
)

type Rules = Readonly<Record<RuleList, readonly Rule[]>>

const policies: fc.Arbitrary<Rules> = fc.record({
  deny: fc.array(rule, { maxLength: 1 }),
  ask: fc.array(rule, { maxLength: 2 }),
  allow: fc.array(rule, { maxLength: 1 }),
})

/** A way to a tool, or to a skill. */
const routesToTake = fc.record({
  by: fc.constantFrom(
    'call',
    'call_tool',
    'call_tool with text',
    'call_tool by address',
    'handler',
  ),
  /** A tool of the host, of a skill, and of a skill that requires the other; or `loadSkill` itself. */
  to: fc.constantFrom('open_door', 'vault_door', 'hall_door', 'loadSkill'),
  key: fc.constantFrom('red', 'blue'),
  skill: fc.constantFrom('vault', 'Strong room', 'hall', 'The hall'),
})

type Route = typeof routesToTake extends fc.Arbitrary<infer T> ? T : never

interface Step {
  readonly tool: string
  readonly input: object
}

const door = (name: string): Tool =>
  defineTool({
    name,
    description: `Opens ${name}.`,
    category: 'action',
    inputSchema: {
      type: 'object',
      properties: { key: { type: 'string' } },
      additionalProperties: false,
    },
    execute: () => 'open',
  }) as Tool

const OUTER = 'outer'

const catalog = await createCatalog({
  skills: [
    defineSkill({
      name: 'vault',
      displayName: 'Strong room',
      description: 'The vault door.',
      tools: [door('vault_door')],
    }),
    defineSkill({
      name: 'hall',
      displayName: 'The hall',
      description: 'The hall door.',
      requires: ['vault'],
      tools: [door('hall_door')],
    }),
  ],
  tools: [
    door('open_door'),
    defineTool({
      name: OUTER,
      description: 'Calls another tool.',
      category: 'utility',
      inputSchema: { type: 'object' },
      execute: (input: unknown, { callTool }: ToolContext) => {
        const { tool, input: given } = input as Step
        return callTool(tool, given)
      },
    }) as Tool,
  ],
})

type Result = 'ran' | 'asked' | 'refused'

/** Takes a route, and throws where the result is not what the rules say. */
async function compare(rules: Rules, route: Route): Promise<Result> {
  const workspace = await VirtualWorkspace.open({
    catalog,
    metaTools: ['call_tool', 'tool_search', 'loadSkill', 'loadTool'],
    discovery: { onFound: 'activate-on-call' },
  })
  await workspace.beginTurn()
  for (const query of ['vault door', 'hall door', 'open door']) {
    await workspace.callTool('tool_search', { query, limit: 10 }, { caller: 'model' })
  }
  await workspace.setPermissions(rules)
  const calls = callsOf(route)
  const [first] = calls as [Step]
  const expected = expectedResult(rules, route, calls)
  const asksAbout = await workspace.approvals.asksAbout(first.tool, first.input)
  const status = workspace.explain(route.to).status
  const isListed = workspace.tools().find(({ name }) => name === route.to)
  const response = await workspace.callTool(first.tool, first.input, { caller: 'model' })
  const result = resultOf(response)
  if (result !== expected) throw new Error(`It ${result}, and the rules say ${expected}.`)
  if (route.by !== 'handler' && asksAbout !== (result === 'asked')) {
    throw new Error(`asksAbout is ${asksAbout}, and it ${result}.`)
  }
  if (isListed?.status !== status) throw new Error(`${status} is listed as ${isListed?.status}.`)
  const isAnswered = route.by !== 'handler' || result !== 'asked'
  if (status === 'denied' && isAnswered && result !== 'refused') {
    throw new Error(`It is denied, and ${result}.`)
  }
  if (isListed.asks && result === 'ran') throw new Error('It is listed as asking, and ran.')
  const loads = skillOf(route.to)
  const isLoaded = loads !== null && !workspace.explainSkill(loads).status.startsWith('inactive')
  if (isLoaded && judgeLoading(rules, loads) !== null) throw new Error(`${loads} is loaded.`)
  await workspace.close()
  return result
}

/** A handler that returns the response of its own call answers like that call. */
function resultOf(response: ToolResponse): Result {
  if (response.ok) return 'ran'
  return response.error.type === 'CONFIRMATION_REQUIRED' ? 'asked' : 'refused'
}

/** The calls of a route, outermost first: each but the last one calls the next. */
function callsOf({ by, to, key, skill }: Route): readonly Step[] {
  const target = { tool: to, input: to === 'loadSkill' ? { skillName: skill } : { key } }
  const owner = skillOf(to)
  const name = by === 'call_tool by address' && owner !== null ? `${owner}/${to}` : to
  const text = by === 'call_tool with text'
  const bridge = {
    tool: 'call_tool',
    input: { name, arguments: text ? JSON.stringify(target.input) : target.input },
  }
  switch (by) {
    case 'call':
      return [target]
    case 'handler':
      return [{ tool: OUTER, input: bridge }, bridge, target]
    default:
      return [bridge, target]
  }
}

function skillOf(tool: string): 'vault' | 'hall' | null {
  return tool === 'vault_door' ? 'vault' : tool === 'hall_door' ? 'hall' : null
}

/** Reads the rules one by one for each call of a route; the strictest decides. */
function expectedResult(rules: Rules, { to, key, skill }: Route, calls: readonly Step[]): Result {
  const owner = skillOf(to)
  const [first] = calls
  // A handler that does not run makes no call.
  const ofHandler = first?.tool === OUTER ? judge(rules, OUTER, first.input) : null
  if (ofHandler !== null) return ofHandler === 'deny' ? 'refused' : 'asked'
  // What is not loaded cannot be called, and a call never asks whether to load a skill.
  if (owner !== null && judgeLoading(rules, owner) !== null) return 'refused'
  const effects = calls.map(({ tool, input }) => {
    if (tool === 'loadSkill') {
      const named = skill === 'vault' || skill === 'Strong room' ? 'vault' : 'hall'
      return strictest([judge(rules, tool, input), judgeLoading(rules, named)])
    }
    if (tool !== 'call_tool') return judge(rules, tool, input)
    const read = { name: to, arguments: to === 'loadSkill' ? { skillName: skill } : { key } }
    return strictest([judge(rules, tool, input), judge(rules, tool, read)])
  })
  const effect = strictest(effects)
  return effect === 'deny' ? 'refused' : effect === 'ask' ? 'asked' : 'ran'
}

/** Reads the rules for loading a skill and those that it requires, by each of their names. */
function judgeLoading(rules: Rules, skill: 'vault' | 'hall'): 'deny' | 'ask' | null {
  const names = ['vault', 'Strong room']
  const loaded = skill === 'hall' ? ['hall', 'The hall', ...names] : names
  return strictest(loaded.map((skillName) => judge(rules, 'loadSkill', { skillName })))
}

function judge({ deny, ask }: Rules, tool: string, input: object): 'deny' | 'ask' | null {
  if (deny.some((one) => isMet(one, tool, input))) return 'deny'
  return ask.some((one) => isMet(one, tool, input)) ? 'ask' : null
}

function strictest(effects: readonly ('deny' | 'ask' | null)[]): 'deny' | 'ask' | null {
  return effects.includes('deny') ? 'deny' : effects.includes('ask') ? 'ask' : null
}

function isMet(rule: Rule, tool: string, input: object): boolean {
  if (typeof rule === 'string') return matchesPattern(rule, tool)
  const owner = skillOf(tool)
  const isMeta = tool === 'loadSkill' || tool === 'call_tool'
  const sources =
    owner === null
      ? ['global', `global:${isMeta ? 'loadout' : 'global'}`]
      : ['skill', `skill:${owner}`]
  const risk = isMeta || tool === OUTER ? 'safe' : 'moderate'
  return (
    (rule.tool === undefined || matchesPattern(rule.tool, tool)) &&
    (rule.skill === undefined || rule.skill === owner) &&
    (rule.source === undefined || sources.includes(rule.source)) &&
    (rule.risk === undefined || rule.risk === risk) &&
    Object.entries(rule.where ?? {}).every(([path, pattern = '']) => {
      const value = path
        .split('.')
        .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], input)
      return typeof value === 'string' && matchesPattern(String(pattern), value)
    })
  )
}
