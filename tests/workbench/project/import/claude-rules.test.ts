import fc from 'fast-check'
import {
  createCatalog,
  defineAgent,
  defineTool,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  checkPatterns,
  listPatterns,
  takenPatterns,
  namesTool,
} from '../../../../src/catalog/lint/checks/check-patterns.ts'
import { parseSkillFile } from '../../../../src/skills/parse/parse-skill-file.ts'
import { defineSkill } from '../../../../src/skills/definition/define-skill.ts'
import { claudePermissions } from '../../../../src/workbench/project/import/claude-permissions.ts'
import { lintProject } from '../../../../src/workbench/project/lint/lint-project.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { aTool } from '../../../workspace/a-workspace.ts'
import { MemoryServer } from '../../../workspace/servers/a-server.ts'
import {
  aClientRule,
  BUILT_IN,
  CALLS,
  type ClientCall,
  meansThere,
  namesThere,
  nameThere,
  HOME,
  PROJECT,
  type ReadAs,
  SERVERS,
} from './claude-rules.ts'

/** Rules that are generated; `CLAUDE_RULES=10000` for the number of the table. */
const RULES = Number(process.env['CLAUDE_RULES'] ?? 300)

const builtIn = (requiresConfirmation: boolean) =>
  BUILT_IN.map((name) =>
    defineTool({
      name,
      description: `Calls ${name}.`,
      inputSchema: z.looseObject({}),
      requiresConfirmation,
      execute: () => 'ran',
    }),
  )

const servers = Object.entries(SERVERS).map(
  ([name, served]) =>
    new MemoryServer(
      name,
      served.map(({ onServer, here }) => ({ ...aTool(here), nameOnServer: onServer })),
      { stored: true, trusted: true },
    ),
)

/** The names that the tools of servers have there, to their names here. */
const HERE = new Map(
  Object.entries(SERVERS).flatMap(([server, served]) =>
    served.map(({ onServer, here }) => [nameThere(server, onServer), here] as const),
  ),
)

const ALL = [...HERE.keys(), ...BUILT_IN]

const here = (tool: string) => HERE.get(tool) ?? tool

/** A session that has rules, with what was said about them. */
interface Ruled {
  readonly workspace: VirtualWorkspace
  readonly words: readonly string[]
}

async function open(
  options: Omit<WorkspaceOptions, 'catalog'>,
  skills: readonly ReturnType<typeof defineSkill>[] = [],
  asks = false,
): Promise<Ruled> {
  const catalog = await createCatalog({ tools: builtIn(asks), servers, skills })
  const workspace = await VirtualWorkspace.open({ catalog, ...options })
  for (const server of servers) await workspace.attach(server)
  for (const { name } of skills) await workspace.activateSkill(name)
  const entries = await workspace.entries()
  const isNamed = namesTool(catalog)
  const { permissions = {} } = options.policy ?? {}
  const { agent } = options
  const lists = [
    ...(['deny', 'ask', 'allow'] as const).map((field) => ({
      owner: 'The configuration',
      field,
      patterns: (permissions[field] ?? []).flatMap((rule) =>
        typeof rule === 'string' ? rule : (rule.tool ?? []),
      ),
    })),
    ...(typeof agent === 'object' ? listPatterns(agent) : []),
    ...skills.map((skill) => takenPatterns({ file: 'ruled/SKILL.md', skill })),
  ]
  const words = [
    ...workspace.notices.map(({ message }) => message),
    ...entries.flatMap(({ event }) => (event.type === 'warning.given' ? event.message : [])),
    ...lists.flatMap((list) => checkPatterns(list, isNamed)).map(({ message }) => message),
  ]
  return { workspace, words }
}

/** Reads a skill from its text, as clients write it. */
function skillOf(field: string, rules: readonly string[]) {
  const list = rules.map((rule) => `  - ${JSON.stringify(rule)}\n`).join('')
  const text = `---\nname: ruled\ndescription: Has rules.\n${field}:\n${list}---\nWork.\n`
  const { definition } = parseSkillFile({ text, file: 'ruled/SKILL.md', folder: 'ruled' })
  if (definition === null) throw new Error(text)
  return defineSkill(definition)
}

/** The places where rules are read that deny, and how Claude Code reads a rule there. */
const DENYING: Readonly<
  Record<string, readonly [ReadAs, (rules: readonly string[]) => Promise<Ruled>]>
> = {
  'deny of settings': [
    'denying',
    async (deny) => {
      const { items, ...rules } = claudePermissions(
        { permissions: { deny } },
        '.claude/settings.json',
        PROJECT,
      )
      const permissions = JSON.parse(JSON.stringify(rules))
      const ruled = await open({ policy: { permissions } })
      return { ...ruled, words: [...ruled.words, ...items.flatMap(({ notes }) => notes)] }
    },
  ],
  'ask of settings': [
    'denying',
    async (ask) => {
      const { items, ...rules } = claudePermissions(
        { permissions: { ask } },
        '.claude/settings.json',
        PROJECT,
      )
      const permissions = JSON.parse(JSON.stringify(rules))
      const ruled = await open({ policy: { permissions } })
      return { ...ruled, words: [...ruled.words, ...items.flatMap(({ notes }) => notes)] }
    },
  ],
  'deny of a configuration': ['names', async (deny) => open({ policy: { permissions: { deny } } })],
  'ask of a configuration': ['names', async (ask) => open({ policy: { permissions: { ask } } })],
  'disallowed-tools of a skill': [
    'names',
    async (rules) => open({}, [skillOf('disallowed-tools', rules)]),
  ],
  'disallowedTools of an agent': [
    'names',
    async (disallowedTools) => open({ agent: defineAgent({ name: 'ruled', disallowedTools }) }),
  ],
}

/** The former names of a tool mean the tool, in a list that allows. */
function namesItsKind(rule: string, tool: string): boolean {
  const [name = ''] = rule.split('(', 1)
  return (
    (name.trim() === 'Agent' && tool === 'Task') || (name.trim() === 'MultiEdit' && tool === 'Edit')
  )
}

/** Returns `ran`, or the type of the error with which a call of a model was refused. */
async function outcome(workspace: VirtualWorkspace, { tool, input }: ClientCall): Promise<string> {
  const result = await workspace.callTool(here(tool), input, { caller: 'model' })
  return result.ok ? 'ran' : String(result.error.details['code'] ?? result.error.type)
}

/** Every call of the tools that rules name, and some of the others. */
function someCalls(rules: readonly string[], as: ReadAs): readonly ClientCall[] {
  return CALLS.filter(
    ({ tool }, place) => place % 9 === 0 || rules.some((rule) => namesThere(rule, tool, as)),
  )
}

const REFUSED = /^(?:denied|confirmation-required|not-exposed)$/u

test.each(Object.keys(DENYING))(
  'no call runs that a rule of Claude Code forbids in %s, and a rule for nothing is named',
  async (place) => {
    vi.stubEnv('HOME', HOME)
    const [as, opened] = DENYING[place] ?? []
    if (as === undefined || opened === undefined) throw new Error(place)
    let forbidden = 0
    let idle = 0
    await fc.assert(
      fc.asyncProperty(aClientRule, async (rule) => {
        let ruled: Ruled
        try {
          ruled = await opened([rule])
        } catch (error) {
          expect(error).toMatchObject({ code: 'POLICY_INVALID', hint: expect.any(String) })
          return
        }
        const { workspace, words } = ruled
        for (const call of CALLS.filter((one) => meansThere(rule, one, as))) {
          forbidden += 1
          expect([call, await outcome(workspace, call)]).toEqual([
            call,
            expect.stringMatching(REFUSED),
          ])
        }
        const table = workspace.tools().filter(({ name }) => ALL.map(here).includes(name))
        const hasEffect = table.some(({ status, asks }) => status !== 'available' || asks)
        if (!ALL.some((tool) => namesThere(rule, tool, as)) && !hasEffect && rule.trim() !== '') {
          idle += 1
          const [name = ''] = rule.trim().split('(', 1)
          expect(words).toContainEqual(expect.stringContaining(name))
        }
        await workspace.close()
      }),
      { numRuns: Math.ceil(RULES / 6), seed: 34 },
    )
    expect(forbidden).toBeGreaterThan(RULES / 12)
    expect(idle).toBeGreaterThan(0)
  },
)

test.each(['pre-approve', 'restrict'] as const)(
  'with allowed-tools that %s, only calls run that they mean in Claude Code',
  async (allowedTools) => {
    let ran = 0
    await fc.assert(
      fc.asyncProperty(fc.array(aClientRule, { minLength: 1, maxLength: 3 }), async (rules) => {
        const skills = [skillOf('allowed-tools', rules)]
        const policy = { permissions: { allowedTools } }
        const { workspace, words } = await open({ policy }, skills, allowedTools === 'pre-approve')
        const read = skills[0]?.permissions ?? []
        for (const call of someCalls(rules, 'allowing')) {
          // Tools of servers ask for nothing.
          if (allowedTools === 'pre-approve' && HERE.has(call.tool)) continue
          if ((await outcome(workspace, call)) !== 'ran') continue
          ran += 1
          const isMeant = rules.some((rule) => meansThere(rule, call, 'allowing'))
          const isOfKind = read.some((rule) => namesItsKind(rule, call.tool))
          expect([rules, call, isMeant || isOfKind || read.length === 0]).toEqual([
            rules,
            call,
            true,
          ])
        }
        for (const rule of read) {
          if (ALL.some((tool) => namesThere(rule, tool, 'allowing') || namesItsKind(rule, tool))) {
            continue
          }
          expect(words).toContainEqual(expect.stringContaining(rule))
        }
        await workspace.close()
      }),
      { numRuns: Math.ceil(RULES / 12), seed: 34 },
    )
    expect(ran).toBeGreaterThan(RULES / 12)
  },
)

test('deny goes before ask, and ask before allow, whatever the rules name', async () => {
  const name = aClientRule.filter((rule) => rule.trim() === rule && !rule.includes('('))
  const list = fc.array(name, { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(list, list, list, async (deny, ask, allow) => {
      let ruled: Ruled
      try {
        ruled = await open({ policy: { permissions: { deny, ask, allow } } }, [], true)
      } catch (error) {
        expect(error).toMatchObject({ code: 'POLICY_INVALID' })
        return
      }
      const holds = (rules: readonly string[], call: ClientCall, as: ReadAs) =>
        rules.some((rule) => meansThere(rule, call, as))
      for (const call of someCalls([...deny, ...ask, ...allow], 'names')) {
        const got = await outcome(ruled.workspace, call)
        if (holds(deny, call, 'names')) expect([call, got]).toEqual([call, 'denied'])
        else if (holds(ask, call, 'names')) {
          expect([call, got]).toEqual([call, 'confirmation-required'])
        } else if (got === 'ran' && !HERE.has(call.tool)) {
          expect([call, holds(allow, call, 'allowing')]).toEqual([call, true])
        }
      }
      await ruled.workspace.close()
    }),
    { numRuns: Math.ceil(RULES / 12), seed: 34 },
  )
})

test('what a list allows and another one takes away is named, in each place', async () => {
  const named = aClientRule.filter((rule) => ALL.some((tool) => namesThere(rule, tool, 'names')))
  const wider = (rule: string) => {
    const [name = ''] = rule.trim().split('(', 1)
    const server = /^mcp__[^*]+?__/u.exec(name)?.[0]
    return fc.constantFrom(name, '*', ...(server === undefined ? [] : [`${server}*`]))
  }
  const pair = named.chain((rule) => wider(rule).map((taken) => [rule, taken] as const))
  await fc.assert(
    fc.asyncProperty(pair, async ([rule, taken]) => {
      const [name = ''] = rule.trim().split('(', 1)
      const policy = { permissions: { deny: [taken], allow: [name] } }
      const agent = defineAgent({ name: 'ruled', tools: [name], disallowedTools: [taken] })
      for (const options of [{ policy }, { agent }]) {
        const { workspace, words } = await open(options)
        expect(words).toContainEqual(expect.stringMatching(/covers it|takes its tools away/u))
        await workspace.close()
      }
      const text = `---\nname: ruled\ndescription: Works.\nallowed-tools: ${JSON.stringify([rule])}\ndisallowed-tools: ${JSON.stringify([taken])}\n---\nWork.\n`
      const folder = await temporaryFolder({ 'ruled/SKILL.md': text })
      const { items } = await lintProject(folder, { home: null })
      expect(items.flatMap(({ diagnostics }) => diagnostics)).toContainEqual(
        expect.objectContaining({ code: 'allow-useless' }),
      )
    }),
    { numRuns: Math.ceil(RULES / 40), seed: 34 },
  )
})
