import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import type { Catalog } from '../../src/catalog/create/catalog.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import type { EventLog } from '../../src/workspace/log/event-log.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const CYCLES = 1_000_000

const TOOLS = 10_000

const SESSIONS = 100

/** Cycles of one session before it ends and its log is deleted. */
const LIFE = 100

/** Allowed growth of the heap in per cent a stretch, for a run of at least one full stretch. */
const MOST_GROWTH = 1

const STRETCH = 100_000

/** The part of the cycles, and of the time, before the first measurement of the heap. */
const WARM_UP = 0.1

/** Opens, uses and deletes sessions for a long time: nothing of them remains. */
export const soak: TorturePart = {
  name: 'soak',
  claim: 'Sessions that come, work and go leave nothing behind: no heap, handle or listener.',
  async run({ seed, scale, forMs }) {
    const began = performance.now()
    const isBefore = (part: number) => performance.now() < began + forMs * part
    const dice = createDice(seed)
    const catalog = await aLargeCatalog(TOOLS)
    const log = createMemoryLog()
    const wanted = Math.ceil(CYCLES * scale)
    const sessions = Math.min(SESSIONS, Math.max(1, Math.floor(wanted / 20)))
    const life = Math.min(LIFE, Math.max(1, Math.floor(wanted / sessions / 4)))
    const generation = () => liveThrough(catalog, log, sessions, life, dice)
    // Objects that are made once for each tool, such as its validator, are not growth.
    for (let warm = 0; warm < wanted * WARM_UP && isBefore(WARM_UP); warm += sessions * life) {
      await generation()
    }
    const failures = new Set<string>()
    const before = { heap: await steadyHeap(), handles: handles() }
    let cycles = 0
    while (cycles < wanted && isBefore(1)) {
      for (const failure of await generation()) failures.add(failure)
      cycles += sessions * life
      const now = handles()
      if (now !== before.handles) failures.add(`handles were ${before.handles}, and are ${now}`)
    }
    const kept = (await log.list()).length
    if (kept > 0) failures.add(`${kept} sessions are left in the log`)
    const heap = await steadyHeap()
    const growth = ((heap / before.heap - 1) * 100) / Math.max(1, cycles / STRETCH)
    if (cycles >= STRETCH && growth >= MOST_GROWTH) failures.add(`the heap grew by ${growth} %`)
    return {
      figures: {
        'cycles of activate, search, call and deactivate': cycles,
        'tools in the catalog': TOOLS,
        'sessions at once': sessions,
        'sessions that came and went': cycles / life,
        'heap before, in MB': megabytes(before.heap),
        'heap after, in MB': megabytes(heap),
        'growth of the heap in per cent, a hundred thousand cycles': Number(growth.toFixed(3)),
        'handles and listeners, before and after': handles(),
      },
      failures: [...failures].slice(0, 20),
      done: Math.min(1, cycles / wanted),
    }
  },
}

/** One generation of sessions at the same time: all are opened, used, and deleted. */
async function liveThrough(
  catalog: Catalog,
  log: EventLog,
  sessions: number,
  life: number,
  dice: Dice,
): Promise<readonly string[]> {
  const names = Array.from({ length: sessions }, (_, index) => `session ${index}`)
  const open = (session: string) => VirtualWorkspace.open({ catalog, log, session, discovery: {} })
  const live = await Promise.all(names.map(open))
  const failures: string[] = []
  for (let cycle = 0; cycle < life; cycle += 1) {
    for (const workspace of live) {
      const failure = await oneCycle(workspace, dice)
      if (failure !== null) failures.push(failure)
    }
  }
  for (const workspace of live) await workspace.close()
  for (const session of names) await log.delete(session)
  return failures
}

async function oneCycle(workspace: VirtualWorkspace, dice: Dice): Promise<string | null> {
  const desk = dice(TOOLS / 10)
  const skill = skillNamed(desk)
  const tool = toolNamed(desk, dice(10))
  await workspace.beginTurn()
  const came = await workspace.activateSkill(skill)
  const searched = await workspace.callTool('tool_search', { query: tool })
  const called = await workspace.callTool(tool, { paper: 'will' })
  const went = await workspace.deactivateSkill(skill)
  return came.ok && searched.ok && called.ok && went.ok && !workspace.isToolAvailable(tool)
    ? null
    : `${skill}: ${JSON.stringify([came, searched, called, went])}`
}

/** Returns the handles that keep a process running, and its listeners, as text. */
function handles(): string {
  const listeners = process
    .eventNames()
    .reduce((sum, event) => sum + process.listenerCount(event), 0)
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind)
  const counts = [...kinds].map(([kind, all]) => `${all.length} ${kind}`).toSorted()
  return [...counts, `${listeners} listeners`].join(', ')
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10
}

const VERBS = [
  'list',
  'find',
  'create',
  'rename',
  'move',
  'copy',
  'archive',
  'count',
  'share',
  'check',
]

const TOOLS_A_SKILL = VERBS.length

/** Returns a skill by its number, with its tools. */
const skillNamed = (skill: number): string => `desk-${skill}`

const toolNamed = (skill: number, tool: number): string =>
  `${VERBS[tool % TOOLS_A_SKILL] ?? 'list'}_papers_of_desk_${skill}`

/** Returns a catalog with a number of tools, ten for each skill. */
function aLargeCatalog(tools: number): Promise<Catalog> {
  const input = z.strictObject({ paper: z.string().describe('The name of a paper') })
  const toolOf = (skill: number, tool: number): Tool =>
    defineTool({
      name: toolNamed(skill, tool),
      description: `${VERBS[tool] ?? ''} the papers on desk ${skill}.`,
      inputSchema: input,
      execute: ({ paper }) => ({ paper, on: skill }),
    }) as Tool
  return createCatalog({
    skills: Array.from({ length: Math.ceil(tools / TOOLS_A_SKILL) }, (_, skill) =>
      defineSkill({
        name: skillNamed(skill),
        description: `For the papers on desk ${skill}.`,
        tools: VERBS.map((_, tool) => toolOf(skill, tool)),
      }),
    ),
  })
}

let collect: (() => void) | undefined

/** Returns the bytes of heap in use when nothing is left to collect. */
async function steadyHeap(): Promise<number> {
  setFlagsFromString('--expose-gc')
  collect ??= runInNewContext('gc') as () => void
  // Objects that finalizers release are collected in the next round.
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}
