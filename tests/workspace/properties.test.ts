import { createMemoryLog, VirtualWorkspace, type Entry, type EventLog } from 'loadout'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { execFileSync } from 'node:child_process'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { deeds, hookScript, stagedCatalog, type Deed, type HookStage } from './random-session.ts'

const RUNS = 150

/** Found tools go for every reason within a few deeds. */
const DISCOVERY = { keep: { turns: 3, idleTurns: 1, cap: 3 }, guard: { sameQuery: 5 } }

/** Live through random deeds, a few of them at once, with hooks that do as scripted. */
async function live(
  script: HookStage['script'],
  acts: readonly { readonly deed: Deed }[],
  after: (workspace: VirtualWorkspace) => void | Promise<void>,
) {
  const stage: HookStage = { script: [...script] }
  const catalog = await stagedCatalog(stage)
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({
    catalog,
    agent: 'tester',
    session: 'random',
    log,
    limits: { hookTimeoutMs: 5 },
    discovery: DISCOVERY,
    variables: { WHAT: 'everything' },
  })
  stage.workspace = workspace
  for (let index = 0; index < acts.length; index += 2) {
    await Promise.all(acts.slice(index, index + 2).map(({ deed }) => deed(workspace)))
    await after(workspace)
  }
  return { workspace, catalog, log }
}

/** Another log with the same entries, and the definitions of the first one. */
const logOf = async (entries: readonly Entry[], { definitions }: EventLog): Promise<EventLog> => {
  const log = createMemoryLog()
  await log.append('random', 0, entries)
  return { ...log, definitions }
}

test('replay gives the state and the prompt that were lived', async () => {
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, async (script, acts) => {
      const { workspace, catalog, log } = await live(script, acts, () => undefined)
      const history = JSON.parse(JSON.stringify(await workspace.entries())) as Entry[]
      expect(fold(history)).toEqual(workspace.state)
      const replayed = await VirtualWorkspace.open({
        catalog,
        agent: 'tester',
        session: 'random',
        log: await logOf(history, log),
        testing: { clock: { now: () => 1e15, monotonic: () => 0 } },
        variables: { WHAT: 'everything' },
        discovery: DISCOVERY,
        readOnly: true,
      })
      expect(replayed.state).toEqual(workspace.state)
      expect(replayed.prompt().text).toBe(workspace.prompt().text)
      await workspace.close()
    }),
    { numRuns: RUNS },
  )
})

test('after every command, lists and explanations agree and no name comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, async (script, acts) => {
      const { workspace } = await live(script, acts, (now) => {
        const listed = now.tools()
        const names = listed.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        for (const { name, status, owner, source } of listed) {
          const explained = now.explain(name)
          expect(explained).toMatchObject({ name, status, owner, source })
          expect(explained.because.length).toBeGreaterThan(0)
          for (const { seq } of explained.because) {
            expect(seq).toBeGreaterThanOrEqual(0)
            expect(seq).toBeLessThanOrEqual(now.state.seq)
          }
          if (status !== 'available') expect(explained.fix).not.toBe('')
          else if (explained.exposed === true) expect(explained.fix).toBe('')
          expect(now.isToolAvailable(name)).toBe(status === 'available')
        }
        const available = listed.filter(({ status }) => status === 'available')
        expect(
          now
            .getAvailableTools()
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(available.map(({ name }) => name).toSorted())
        for (const { name, status } of now.skills()) {
          expect(now.explainSkill(name).status).toBe(status)
        }
        expect(now.store.getState().pending).toEqual([])
      })
      await workspace.close()
    }),
    { numRuns: RUNS },
  )
})

test('the gate agrees with the lists for every tool', async () => {
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, async (script, acts) => {
      const { workspace } = await live(script, acts, () => undefined)
      for (const { name } of workspace.tools()) {
        const { status, fix } = workspace.explain(name)
        const asks = workspace.tools().find((one) => one.name === name)?.asks ?? false
        const input = name === 'loadSkill' || name === 'unloadSkill' ? { skillName: 'nobody' } : {}
        const response = await workspace.callTool(name, input)
        const code = response.ok ? 'available' : response.error.details.code
        if (fix.startsWith('Call it')) expect(code).toMatch(/^(available|skill-inactive|conf.*)$/v)
        else if (status !== 'available') expect(code).toBe(status)
        else if (asks) expect(code).toMatch(/^(available|confirmation-)/v)
        else expect(code).toMatch(/^(available|input-invalid|skill-unknown)$/v)
      }
      await workspace.close()
    }),
    { numRuns: RUNS / 3 },
  )
})

test('found tools are few, each is allowed, and each can be called or comes with its call', async () => {
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, async (script, acts) => {
      const { workspace } = await live(script, acts, async (now) => {
        const { found } = now.state
        expect(found.length).toBeLessThanOrEqual(DISCOVERY.keep.cap)
        expect(new Set(found.map(({ name }) => name)).size).toBe(found.length)
        expect(found.map(({ owner }) => owner)).not.toContain('hidden')
        const { tools } = await now.beginStep()
        expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
        for (const { name } of tools) {
          const { status, fix } = now.explain(name)
          expect(status === 'available' || fix.startsWith('Call it')).toBe(true)
        }
        expect(now.state.memory.entities.length).toBeLessThanOrEqual(10)
        expect(now.state.searches.length).toBeLessThanOrEqual(20)
      })
      await workspace.close()
    }),
    { numRuns: RUNS / 3 },
  )
})

test('active skills always have what they require, and never what they exclude', async () => {
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, async (script, acts) => {
      const { workspace } = await live(script, acts, (now) => {
        const active = new Set(now.skillManager.getActiveSkills().map(({ name }) => name))
        for (const skill of now.skillManager.getActiveSkills()) {
          for (const required of skill.requires) expect(active).toContain(required)
          for (const rival of skill.conflicts) expect(active).not.toContain(rival)
          if (skill.exclusive) expect([...active]).toEqual([skill.name])
        }
      })
      await workspace.close()
    }),
    { numRuns: RUNS / 3 },
  )
})

test('a log replays in another process, at another time, with other dice, to the same state', async () => {
  const [script, acts] = fc.sample(fc.tuple(hookScript, deeds), { numRuns: 1, seed: 7 })[0] as [
    HookStage['script'],
    { readonly deed: Deed }[],
  ]
  const { workspace } = await live(script, acts, () => undefined)
  const program = `
    Date.now = () => 0; Math.random = () => 0.5
    const { fold } = await import('./src/engine/evolve/evolve.ts')
    const text = await new Response(process.stdin).text()
    process.stdout.write(JSON.stringify(fold(JSON.parse(text))))`
  const elsewhere = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    input: JSON.stringify(await workspace.entries()),
    env: { ...process.env, TZ: 'Pacific/Kiritimati' },
    encoding: 'utf8',
  })
  expect(JSON.parse(elsewhere)).toEqual(workspace.state)
  await workspace.close()
})
