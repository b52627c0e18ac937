import { isDeepStrictEqual } from 'node:util'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { fold } from '../../src/engine/evolve/evolve.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { createMemoryApprovals } from '../../src/workspace/calls/approval-store.ts'
import {
  EXPOSURES,
  type ExposureStrategy,
} from '../../src/workspace/offer/exposure/exposure-strategy.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const LIVES = 2_000

const ACTS = 12

/** Hooks and approval stores of the host hang, fail or answer late, while calls and commands go on. */
export const hangingHosts: TorturePart = {
  name: 'hangs',
  claim:
    'Whatever the host leaves open, every call is answered, a workspace closes, and its state is what its log says.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const lives = Math.ceil(LIVES * scale)
    const seen = { lives: 0, acts: 0, hangs: 0 }
    const failures: string[] = []
    while (seen.lives < lives && performance.now() < until) {
      seen.lives += 1
      const { hangs, failure } = await live(dice)
      seen.acts += ACTS
      seen.hangs += hangs
      if (failure !== null) failures.push(`life ${seen.lives}: ${failure}`)
    }
    return {
      figures: {
        sessions: seen.lives,
        'calls and commands': seen.acts,
        'times that the host hung, failed or was late': seen.hangs,
        'unanswered, or another state than the log': failures.length,
      },
      failures,
    }
  },
}

async function live(
  dice: Dice,
): Promise<{ readonly hangs: number; readonly failure: string | null }> {
  let hangs = 0
  /** Answers at once, late or never, or fails. */
  const host = async (): Promise<void> => {
    const fate = dice(6)
    if (fate > 2) return
    hangs += 1
    if (fate === 0) await new Promise(() => {})
    if (fate === 1) throw new Error(HOST_FAILED)
    await new Promise((resolve) => setTimeout(resolve, dice(10)))
  }
  const tool = (name: string, requiresConfirmation = false) =>
    defineTool({ name, description: `Does ${name}.`, requiresConfirmation, execute: () => name })
  const skills = ['a', 'b', 'c'].map((name) =>
    defineSkill({
      name,
      description: `For ${name}.`,
      tools: [tool(`${name}_tool`)],
      onActivate: host,
      onDeactivate: host,
    }),
  )
  const memory = createMemoryApprovals()
  const exposure: ExposureStrategy = {
    name: 'slow',
    plan: (request) => host().then(() => EXPOSURES.append.plan(request)),
  }
  const nothing = { results: [], confidence: 0, route: 'vectors' } as const
  const search = { search: () => host().then(() => nothing) }
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills, tools: [tool('look'), tool('asked', true)] }),
    log,
    exposure,
    discovery: { search },
    metaTools: ['tool_search'],
    approvals: { ...memory, has: (tool) => host().then(() => memory.has(tool)) },
    limits: { timeoutMs: 5, hookTimeoutMs: 5, drainMs: 5 },
  })
  const skill = () => ['a', 'b', 'c'][dice(3)] ?? 'a'
  const acts = [
    () => workspace.activateSkill(skill()),
    () => workspace.deactivateSkill(skill()),
    () => workspace.callTool('look', {}),
    () => workspace.callTool('asked', {}),
    () => workspace.callTool(`${skill()}_tool`, {}),
    () => workspace.callTool('tool_search', { query: 'owls' }),
    () => workspace.beginStep(),
    () => workspace.beginTurn(),
  ]
  const acting = Array.from({ length: ACTS }, () => acts[dice(acts.length)]?.())
  const settled = Promise.allSettled(acting)
  if (dice(2) === 0 && !(await endsInTime(settled))) return { hangs, failure: 'no answer' }
  if (!(await endsInTime(workspace.close()))) return { hangs, failure: 'it did not close' }
  if (!(await endsInTime(settled))) return { hangs, failure: 'no answer after it was closed' }
  for (const end of await settled) {
    if (end.status === 'fulfilled' || isExpected(end.reason)) continue
    return { hangs, failure: `it rejected: ${String(end.reason)}` }
  }
  const folded = fold(await log.read(workspace.session))
  const failure = isDeepStrictEqual(workspace.state, folded)
    ? null
    : 'the state is not that of the log'
  return { hangs, failure }
}

/** Returns true for what was cut short by closing, and for a step whose strategy of exposure failed or hung. */
function isExpected(error: unknown): boolean {
  const { code, message } = Object(error) as { readonly code?: string; readonly message?: string }
  return code === 'WORKSPACE_CLOSED' || code === 'TIME_LIMIT' || message === HOST_FAILED
}

const HOST_FAILED = 'The host failed.'

/** Milliseconds after which what should have ended counts as never ending: far more than all limits together. */
const NEVER_MS = 60_000

async function endsInTime(work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), NEVER_MS)
  const inTime = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return inTime
}
