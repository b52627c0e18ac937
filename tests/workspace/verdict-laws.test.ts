import fc from 'fast-check'
import {
  createMemoryApprovals,
  createMemoryLog,
  forkSession,
  type ToolListing,
  VirtualWorkspace,
  type WorkspaceOptions,
} from 'loadout'
import { expect, test } from 'vitest'
import { aTool } from './a-workspace.ts'
import { type Deed, deeds, hookScript, type HookStage, stagedCatalog } from './random-session.ts'

/** Random sessions; `VERDICT_SESSIONS=10000` for the number of the table. */
const SESSIONS = Number(process.env['VERDICT_SESSIONS'] ?? 300)

/** Entries of each session at which a fork is asked. */
const FORKS = 3

/** The model twice, since it may not repeat a call. */
const CALLERS = ['model', 'model', 'user', 'host'] as const

const file = {
  inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
} as const

const TOOLS = [
  aTool('filed', { ...file, category: 'retrieval' }),
  aTool('wipe', { ...file, risk: 'destructive', category: 'action' }),
  aTool('judged', {
    ...file,
    requiresConfirmation: (input: unknown) => (input as { file?: string }).file === 'a',
  }),
  aTool('polled', { ...file, polling: true }),
]

/** Returns true for calls about the file "a". */
const isAboutA = (input: Readonly<Record<string, unknown>>) => input['file'] === 'a'

const rule = fc.constantFrom(
  'filed',
  'w*',
  { risk: ['destructive' as const] },
  { skill: 'base' },
  { source: 'global' as const },
  { tool: 'filed', where: { file: 'a' } },
  { tool: 'wipe', where: { file: 'b*' } },
  { tool: 'polled', when: isAboutA },
  { tool: 'loadSkill', where: { skillName: 'rival' } },
)
const rules = fc.array(rule, { maxLength: 2 })
const permissions = fc.record({ deny: rules, ask: rules, allow: rules })
const given = fc.constantFrom({}, { file: 'a' }, { file: 'b' })

type Act = { readonly deed: Deed }

const more: fc.Arbitrary<Act> = fc.oneof(
  permissions.map((one) => ({ deed: (workspace) => workspace.setPermissions(one) }) as Act),
  fc
    .constantFrom('voice', 'text')
    .map((mode) => ({ deed: (workspace) => workspace.setMode(mode) }) as Act),
  fc
    .tuple(fc.constantFrom('filed', 'wipe', 'judged', 'polled'), given)
    .map(
      ([tool, input]) =>
        ({ deed: (workspace) => workspace.callTool(tool, input, { caller: 'model' }) }) as Act,
    ),
  fc.constantFrom('approve' as const, 'deny' as const, 'keep' as const).map(
    (answer) =>
      ({
        deed: async (workspace) => {
          const id = workspace.state.confirmations.at(-1)?.id ?? 'nothing'
          if (answer === 'deny') return workspace.deny(id)
          return workspace.approve(id, answer === 'keep' ? { remember: 'digest' } : {})
        },
      }) as Act,
  ),
  fc
    .uniqueArray(fc.constantFrom('filed', 'wipe', 'clock', 'base_tool', 'loadSkill'))
    .map((activeTools) => ({ deed: (workspace) => workspace.beginStep({ activeTools }) }) as Act),
)

const one = deeds.map(([first]): Act => first ?? { deed: () => Promise.resolve() })

const acts = fc.array(fc.oneof({ weight: 3, arbitrary: more }, one), {
  minLength: 5,
  maxLength: 20,
})

/** Valid arguments of the meta-tools. */
const META_INPUTS = (skillName: string): Readonly<Record<string, object>> => ({
  loadSkill: { skillName },
  unloadSkill: { skillName },
  loadSkillFile: { skillName, path: 'notes.md' },
  listSkillToolsets: { skillName },
  loadTool: { toolName: 'clock' },
  loadToolset: { toolsetName: 'clocks' },
  call_tool: { name: 'nothing' },
  tool_search: { query: 'rival' },
})

interface Difference {
  readonly name: string
  readonly caller: string
  readonly input: object
  readonly what: string
}

/** Asks about each name for three callers in three ways, makes the call, and returns what does not agree. */
async function differences(
  workspace: VirtualWorkspace,
  inputs: readonly object[],
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  const names = workspace.tools().map(({ name }) => name)
  for (const [at, name] of [...names, 'nothing'].entries()) {
    for (const caller of CALLERS) {
      const skillName = at % 2 === 0 ? 'rival' : 'base'
      const own = TOOLS.some((one) => one.name === name) ? inputs[at % inputs.length] : {}
      const input = META_INPUTS(skillName)[name] ?? own ?? {}
      const { status, outcomes, needs } = workspace.explain(name, { caller })
      const say = (what: string) => found.push({ name, caller, input, what })
      if (caller === 'model') {
        // A namespaced tool that comes when its name is free is listed by that name, and still found by its address.
        const isIt = (one: ToolListing) => one.name === name || `${one.owner}/${one.name}` === name
        const listed = workspace.tools().find(isIt)?.status
        if (status !== (listed ?? 'unknown')) say(`listed as ${listed}, explained as ${status}`)
      }
      const asks = await workspace.approvals.asksAbout(name, input, { caller })
      const before = workspace.state.seq
      const response = await workspace.callTool(name, input, { caller })
      const entries = await workspace.entries(before + 1)
      const code = response.ok ? 'ran' : String(response.error.details['code'])
      const isStarted = entries.some(({ event }) => event.type === 'call.started')
      const fate = isStarted ? 'run' : code === 'confirmation-required' ? 'ask' : 'refuse'
      if (asks !== (fate === 'ask')) say(`asksAbout ${asks}, and the call: ${code}`)
      if (!outcomes.includes(fate)) {
        say(`explained as ${outcomes.join(' or ')} (${needs.join()}), and the call: ${code}`)
      }
      if (outcomes.length > 1 && needs.length === 0) say(`open without a need: ${outcomes.join()}`)
    }
  }
  return found
}

/** Shows the model a few tools only, and approves, denies and keeps the approvals of the open questions in turn. */
async function goOn(workspace: VirtualWorkspace): Promise<void> {
  await workspace.beginStep({ activeTools: ['clock', 'wipe', 'loadSkill'] })
  for (const [at, { id }] of workspace.state.confirmations.entries()) {
    if (at % 3 === 0) await workspace.approve(id)
    else if (at % 3 === 1) await workspace.deny(id)
    else await workspace.approve(id, { remember: 'digest' })
  }
}

test(
  'lists, explain, asksAbout and the call agree for every name and caller, on every fork',
  async () => {
    let asked = 0
    await fc.assert(
      fc.asyncProperty(
        hookScript,
        acts,
        fc.array(given, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { minLength: FORKS, maxLength: FORKS }),
        async (script, done, inputs, places) => {
          const stage: HookStage = { script: [...script] }
          const catalog = await stagedCatalog(stage)
          const log = createMemoryLog()
          const approvals = createMemoryApprovals()
          const open = (session: string) =>
            VirtualWorkspace.open({
              catalog,
              agent: 'tester',
              session,
              log,
              tools: TOOLS,
              approvals,
              limits: { hookTimeoutMs: 5, sameCalls: 1 },
              discovery: {},
              policy: { permissions: { ask: [{ tool: 'polled', when: isAboutA }] } },
            } as WorkspaceOptions)
          const workspace = await open('random')
          stage.workspace = workspace
          await workspace.beginTurn()
          for (const { deed } of done) await deed(workspace).catch(() => undefined)
          const { seq } = workspace.state
          const forks = await Promise.all(
            places.map((at) => forkSession(log, { from: 'random', at: at % (seq + 1) })),
          )
          delete stage.workspace
          const agree = async (now: VirtualWorkspace) => {
            expect(await differences(now, inputs)).toEqual([])
            asked += CALLERS.length * now.tools().length
          }
          for (const { session } of forks) {
            const fork = await open(session)
            await agree(fork)
            await fork.close()
          }
          await agree(workspace)
          await goOn(workspace)
          await agree(workspace)
          await workspace.close()
        },
      ),
      { numRuns: SESSIONS, seed: 31 },
    )
    console.info(`${SESSIONS} sessions, ${asked} names and callers asked`)
  },
  60_000 + SESSIONS * 2_000,
)
