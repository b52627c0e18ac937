import {
  type Catalog,
  createCatalog,
  createMemoryLog,
  type Entry,
  type Skill,
  VirtualWorkspace,
} from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { foldRecorded } from '../../src/engine/evolve/evolve.ts'
import { aSkill, aTool } from './a-workspace.ts'

/** More sessions: CONDITION_SESSIONS=2000 npx vitest run tests/workspace/condition-laws.test.ts */
const SESSIONS = Number(process.env['CONDITION_SESSIONS'] ?? 60)

/** Patterns with the files of the pool that they match, written by hand. */
const GLOBS: Readonly<Record<string, readonly string[]>> = {
  'src/**/*.ts': ['src/a.ts', 'src/x/b.ts'],
  'docs/*.md': ['docs/a.md'],
  '*.{json,yaml}': ['package.json'],
  'src/x/**': ['src/x/b.ts', 'src/x/c.css'],
}

const FILES = [
  'src/a.ts',
  'src/x/b.ts',
  'src/x/c.css',
  'docs/a.md',
  'docs/x/b.md',
  'package.json',
  '../src/a.ts',
]
const EVENTS = ['outage', 'release']
const MODES = ['calm', 'busy', 'night']
const TOOLS = ['build', 'check']

/** Names of everything that conditions are about: a text that could activate skills, if any text could. */
const BAIT = [...FILES, ...EVENTS, ...TOOLS, 'error', 'success', 'busy'].join(' ')

interface Dice {
  (sides: number): number
  pick<T>(list: readonly T[]): T
  some<T>(list: readonly T[]): readonly [T, ...T[]]
}

function diceOf(seed: number): Dice {
  let state = seed * 2_654_435_761
  const roll = (sides: number) => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0
    return ((state ^ (state >>> 13)) >>> 0) % sides
  }
  const pick = <T>(list: readonly T[]) => list[roll(list.length)] as T
  const some = <T>(list: readonly T[]): readonly [T, ...T[]] => {
    const first = pick(list)
    return roll(3) === 0 ? ([...new Set([first, pick(list)])] as unknown as [T, ...T[]]) : [first]
  }
  return Object.assign(roll, { pick, some })
}

type When = NonNullable<Skill['when']>

function aCondition(dice: Dice): When {
  const members: When[] = [
    { paths: dice.some(Object.keys(GLOBS)) },
    {
      calls: dice.some(TOOLS).map((tool) => ({
        tool,
        ...(dice(3) > 0 && { status: dice.pick(['success', 'error'] as const) }),
      })),
    },
    { mode: dice.some(MODES) },
    { principal: dice.some(['ada', 'bob']) },
    { event: dice.some(EVENTS) },
  ]
  return dice(2) === 0 ? dice.pick(members) : { ...dice.pick(members), ...dice.pick(members) }
}

/** The facts as the test knows them, each with the time since which it holds, and what somebody deactivated when. */
class Model {
  now = 0
  mode = { is: '', since: 0 }
  readonly paths = new Map<string, number>()
  readonly events = new Map<string, number>()
  readonly calls = new Map<string, { status: string; since: number }>()
  readonly active = new Set<string>()
  readonly off = new Map<string, number>()
  denied = new Set<string>()

  /** The time since which a condition holds; null when it does not. */
  since(when: When): number | null {
    const times: (number | undefined)[] = []
    const first = (found: readonly (number | undefined)[]) => {
      const known = found.filter((time) => time !== undefined)
      return known.length === 0 ? undefined : Math.min(...known)
    }
    if (when.paths) {
      const files = when.paths.flatMap((glob) => GLOBS[glob] ?? [])
      times.push(first(files.map((file) => this.paths.get(file))))
    }
    if (when.calls) {
      const ended = when.calls.map(({ tool, status }) => {
        const last = this.calls.get(tool)
        return last && (status ?? last.status) === last.status ? last.since : undefined
      })
      times.push(first(ended))
    }
    if (when.mode) times.push(when.mode.includes(this.mode.is) ? this.mode.since : undefined)
    if (when.principal) times.push(when.principal.includes('ada') ? 0 : undefined)
    if (when.event) times.push(first(when.event.map((event) => this.events.get(event))))
    return times.some((time) => time === undefined) ? null : Math.max(...(times as number[]))
  }

  settle(skills: readonly Skill[]): void {
    for (const { name, when = {} } of skills) {
      const since = this.since(when)
      if (since === null) this.active.delete(name)
      else if (!this.denied.has(name) && (this.off.get(name) ?? -1) < since) this.active.add(name)
    }
  }
}

async function aSession(seed: number): Promise<number> {
  const dice = diceOf(seed)
  const skills = ['a', 'b', 'c', 'd'].map((name) =>
    aSkill(name, { instructions: BAIT, when: aCondition(dice) }),
  )
  const tools = TOOLS.map((name) =>
    aTool(name, {
      inputSchema: z.object({ file: z.string().optional(), fails: z.boolean() }) as never,
      paths: ({ file }: { file?: string }) => file ?? [],
      execute: ({ fails }: { fails: boolean }) => {
        if (fails) throw new Error(BAIT)
        return BAIT
      },
    } as never),
  )
  const catalog: Catalog = await createCatalog({ skills, tools })
  const log = createMemoryLog()
  const open = () =>
    VirtualWorkspace.open({
      catalog,
      log,
      session: 's',
      principal: { id: 'ada' },
      metaTools: ['loadSkill'],
      policy: { modes: { calm: {}, busy: {}, night: {} } },
    })
  const model = new Model()
  let workspace = await open()
  model.settle(skills)
  let checks = 0
  const check = (what: string) => {
    model.settle(skills)
    const active = workspace.state.open
      .filter(({ source }) => source === 'skill')
      .map(({ owner }) => owner)
    expect([what, [...active].toSorted()]).toEqual([what, [...model.active].toSorted()])
    checks += 1
  }
  check(`seed ${seed}: opening`)
  for (let step = 0; step < 25; step += 1) {
    model.now += 1
    const at = `seed ${seed}, step ${step}`
    switch (dice(9)) {
      case 0: {
        const paths = dice.some(FILES)
        await workspace.note({ paths })
        for (const path of paths) if (!model.paths.has(path)) model.paths.set(path, model.now)
        check(`${at}: note ${paths.join()}`)
        break
      }
      case 1: {
        const event = dice.pick(EVENTS)
        const holds = dice(2) === 0
        await workspace.note({ event, holds })
        if (!holds) model.events.delete(event)
        else if (!model.events.has(event)) model.events.set(event, model.now)
        check(`${at}: ${event} ${holds}`)
        break
      }
      case 2:
      case 3: {
        const [tool, fails, file] = [
          dice.pick(TOOLS),
          dice(2) === 0,
          dice.pick([undefined, ...FILES]),
        ]
        await workspace.callTool(
          tool,
          { fails, ...(file && { file }) },
          { caller: dice.pick(['model', 'host']) },
        )
        model.calls.set(tool, { status: fails ? 'error' : 'success', since: model.now })
        if (file && !fails && !model.paths.has(file)) model.paths.set(file, model.now)
        break
      }
      case 4: {
        const mode = dice.pick(MODES)
        await workspace.setMode(mode)
        if (mode !== model.mode.is) model.mode = { is: mode, since: model.now }
        check(`${at}: mode ${mode}`)
        break
      }
      case 5: {
        const name = dice.pick(['a', 'b', 'c', 'd'])
        const isOn = model.active.has(name)
        await workspace.deactivateSkill(name, { by: dice.pick(['user', 'host']) })
        if (isOn) model.off.set(name, model.now)
        model.active.delete(name)
        break
      }
      case 6: {
        const denied = dice.pick([[], ['a'], ['b', 'c']])
        const deny = denied.map((skillName) => ({ tool: 'loadSkill', where: { skillName } }))
        await workspace.setPermissions({ deny })
        model.denied = new Set(denied)
        break
      }
      case 7: {
        if (dice(2) === 0) await workspace.beginTurn()
        if (dice(3) === 0) {
          await workspace.close()
          workspace = await open()
        }
        await workspace.beginStep()
        check(`${at}: step`)
        break
      }
      case 8: {
        // Another process changes the session.
        const other = await open()
        await other.beginStep()
        await other.close()
        model.settle(skills)
        await workspace.beginStep()
        check(`${at}: another process`)
        break
      }
    }
  }
  await workspace.beginStep()
  check(`seed ${seed}: end`)
  const entries: readonly Entry[] = await log.read('s', 0)
  expect(foldRecorded(JSON.parse(JSON.stringify(entries)))).toEqual(workspace.state)
  for (const { cause } of entries) {
    if (cause.by !== 'policy' || cause.fact === undefined) continue
    const { type } = entries[cause.fact]?.event ?? {}
    expect(['fact.noted', 'call.ended', 'policy.changed', 'session.opened']).toContain(type)
  }
  const again = await open()
  expect(again.prompt().text).toBe(workspace.prompt().text)
  expect(again.explainSkill('a')).toEqual(workspace.explainSkill('a'))
  await again.close()
  await workspace.close()
  return checks
}

test(`in ${SESSIONS} random sessions a skill is active exactly while its condition holds`, async () => {
  let checks = 0
  for (let seed = 1; seed <= SESSIONS; seed += 1) checks += await aSession(seed)
  expect(checks).toBeGreaterThan(SESSIONS * 3)
}, 600_000)
