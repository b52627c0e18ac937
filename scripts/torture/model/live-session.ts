import type { Deed } from './deed.ts'
import { liveCatalog, liveTool, newStage, NOTES, type Stage } from './live-catalog.ts'
import {
  CALLS_PER_TURN,
  CONFIRMATION_MS,
  type Edition,
  EXTRAS,
  KEEP,
  policyAt,
} from './universe.ts'
import type { JsonValue } from '../../../src/kernel/json-value.ts'
import { WorkspaceError } from '../../../src/kernel/workspace-error.ts'
import type { ToolResponse } from '../../../src/tools/response/tool-response.ts'
import type { Outcome } from '../../../src/workspace/commands/outcome.ts'
import type { EventLog } from '../../../src/workspace/log/event-log.ts'
import type { SearchPage } from '../../../src/workspace/offer/discovery/search-page.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'

/** Counts no tokens: they do not matter here, and counting takes time. */
export const counter = { name: 'characters', count: (text: string) => text.length }

/** A clock that only moves when somebody waits. */
interface SetClock {
  at: number
  now(): number
  monotonic(): number
}

export function setClock(): SetClock {
  return {
    at: 0,
    now() {
      return this.at
    },
    monotonic() {
      return this.at
    },
  }
}

/** A session of the model test as one process has it. */
export interface LiveSession {
  readonly workspace: VirtualWorkspace
  readonly log: DyingLog
  readonly stage: Stage
  readonly clock: SetClock
}

/** Opens the session, new or not, as another process does. */
export async function openLive(
  kept: EventLog,
  clock: SetClock,
  edition: Edition,
  policy: number,
): Promise<LiveSession> {
  const { mode, ...permissions } = policyAt(policy)
  const log = dyingLog(kept)
  const stage = newStage()
  const workspace = await VirtualWorkspace.open({
    catalog: await liveCatalog(edition),
    agent: 'tester',
    session: 'tortured',
    log,
    testing: { clock },
    policy: { mode, permissions, callsPerTurn: CALLS_PER_TURN },
    services: stage,
    tokenCounter: counter,

    limits: { confirmationMs: CONFIRMATION_MS },
    discovery: { keep: KEEP },
  })
  return { workspace, log, stage, clock }
}

/** Runs an operation. Returns `ok`, or the code of its refusal. */
export async function doDeed(
  { workspace, stage, clock }: LiveSession,
  deed: Exclude<Deed, { do: 'reopen' }>,
): Promise<{ readonly code: string; readonly page?: SearchPage }> {
  switch (deed.do) {
    case 'activate':
      return outcomeCode(
        await workspace.activateSkill(deed.skill, {
          replace: deed.replace,
          ...(deed.lasting && { lifetime: deed.lasting }),
        }),
      )
    case 'deactivate':
      return outcomeCode(
        await workspace.deactivateSkill(deed.skill ?? undefined, { cascade: deed.cascade }),
      )
    case 'accept':
      return outcomeCode(await workspace.acceptSkill(deed.skill))
    case 'switch':
      return outcomeCode(await workspace.setToolEnabled(deed.tool, deed.on))
    case 'register': {
      const extra = EXTRAS[deed.extra]
      if (extra === undefined) throw new Error(`there is no extra tool ${deed.extra}`)
      return outcomeCode(await workspace.registerTool(liveTool(extra)))
    }
    case 'unregister':
      return outcomeCode(await workspace.unregisterTool(deed.tool))
    case 'register-notes':
      return outcomeCode(await workspace.registerComponent(NOTES))
    case 'unregister-notes':
      return outcomeCode(await workspace.unregisterComponent('notes'))
    case 'restore-notes': {
      const state: JsonValue = { count: deed.count }
      return workspace.restoreComponent('notes', state).then(outcomeCode, codeOf)
    }
    case 'policy': {
      const { mode, ...permissions } = policyAt(deed.policy)
      const moved = await workspace.setMode(mode)
      return outcomeCode(moved.ok ? await workspace.setPermissions(permissions) : moved)
    }
    case 'turn':
      return outcomeCode(await workspace.beginTurn())
    case 'step':
      await workspace.beginStep()
      return { code: 'ok' }
    case 'call': {
      stage.throws = deed.throws
      const input = deed.by === null ? { by: 'much' } : { by: deed.by }
      return answered(await workspace.callTool(deed.tool, input))
    }
    case 'answer': {
      const { confirmations, answers } = workspace.state
      const id = [...confirmations, ...answers][deed.which]?.id ?? 'a guess'
      return outcomeCode(await (deed.approve ? workspace.approve(id) : workspace.deny(id)))
    }
    case 'search': {
      const response = await workspace.callTool('tool_search', { query: deed.query })
      return response.ok ? { code: 'ok', page: response.data as SearchPage } : answered(response)
    }
    case 'wait':
      clock.at += deed.ms
      return { code: 'ok' }
  }
}

function outcomeCode(outcome: Outcome): { readonly code: string } {
  return { code: outcome.ok ? 'ok' : outcome.code }
}

function answered(response: ToolResponse): { readonly code: string } {
  if (response.ok) return { code: 'ok' }
  const { type, details } = response.error
  return { code: typeof details['code'] === 'string' ? details['code'] : type }
}

function codeOf(error: unknown): { readonly code: string } {
  if (!WorkspaceError.is(error)) throw error
  return { code: error.code }
}

/** A log as one process has it: from a given append on, none of its calls has an effect. */
interface DyingLog extends EventLog {
  /** Dies at the n-th append from now: before the log has it, or just after. */
  die(at: number, append: 'lost' | 'kept'): void
  /** Successful appends since it was created. */
  readonly appends: number
  readonly isDead: boolean
}

/** The error in a dead process. Nobody reads it. */
class Died extends Error {}

/** Returns a process's own view of a log that outlives it. */
function dyingLog(log: EventLog): DyingLog {
  const { immediate: _, ...rest } = log
  let appends = 0
  let left = Number.POSITIVE_INFINITY
  let fate: 'lost' | 'kept' = 'lost'
  let dead = false
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new Died('This process is dead.')) : work()
  return {
    ...rest,
    definitions: {
      has: (...given) => alive(() => log.definitions.has(...given)),
      put: (...given) => alive(() => log.definitions.put(...given)),
      get: (...given) => alive(() => log.definitions.get(...given)),
    },
    read: (...given) => alive(() => log.read(...given)),
    append: (...given) =>
      alive(async () => {
        left -= 1
        dead = left <= 0
        if (!dead || fate === 'kept') {
          await log.append(...given)
          appends += 1
        }
        if (dead) throw new Died('This process is dead.')
      }),
    die(at, append) {
      left = at
      fate = append
    },
    get appends() {
      return appends
    },
    get isDead() {
      return dead
    },
  }
}
