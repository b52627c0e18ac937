import { type Catalog, createMemoryLog, defineTool, VirtualWorkspace } from 'loadout'
import fc from 'fast-check'
import { createUiStore } from '../../../src/workbench/playground/context/ui-state.ts'
import type { PlaygroundContext } from '../../../src/workbench/playground/context/playground-context.ts'
import { createContext } from '../../../src/workbench/playground/session/create-context.ts'
import { NO_TERMINAL } from '../../../src/workbench/playground/terminal/terminal-control.ts'
import { deeds, hookScript, type HookStage, stagedCatalog } from '../../workspace/random-session.ts'
import { WORDS } from '../playground/words.ts'

/** Random sessions; `REPORT_SESSIONS=200` for the number of the table. */
export const SESSIONS = Number(process.env['REPORT_SESSIONS'] ?? 20)

/** A session that somebody worked in, and a screen that shows it. */
export interface RandomScreen {
  readonly workspace: VirtualWorkspace
  readonly context: PlaygroundContext
  /** Opens the session read-only after an entry. */
  openAt(at: number): Promise<VirtualWorkspace>
}

/** Asks a person, and says in several lines what it would do. */
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  requiresConfirmation: true,
  inputSchema: { type: 'object' },
  preview: () => 'Pays:\n  - 7 \u202E EUR\n\tat once',
  execute: () => 'paid',
})

/** Runs a check in each of the random sessions, which are the same at every run. */
export async function inRandomSessions(check: (screen: RandomScreen) => Promise<void>) {
  const property = fc.asyncProperty(hookScript, deeds, async (script, done) => {
    const stage: HookStage = { script: [...script] }
    const catalog: Catalog = await stagedCatalog(stage)
    const shared = {
      catalog,
      log: createMemoryLog(),
      session: 'random',
      tokenCounter: WORDS,
      limits: { hookTimeoutMs: 5, sameCalls: 1 },
      discovery: {},
      tools: [pay],
    }
    const workspace = await VirtualWorkspace.open({
      ...shared,
      agent: 'tester',
      confirmations: { keepArguments: true },
      policy: { permissions: { ask: [{ tool: 'clock' }] } },
    })
    stage.workspace = workspace
    await workspace.beginTurn()
    for (const { deed } of done) await deed(workspace).catch(() => undefined)
    delete stage.workspace
    const { context, close } = await createContext({
      workspace,
      ui: createUiStore('skills'),
      counter: WORDS,
      live: true,
      accept: () => Promise.resolve(),
      terminal: { ...NO_TERMINAL, exit: () => {} },
    })
    try {
      const openAt = (at: number) => VirtualWorkspace.open({ ...shared, readOnly: true, at })
      await check({ workspace, context, openAt })
    } finally {
      close()
      await workspace.close()
    }
  })
  await fc.assert(property, { numRuns: SESSIONS, seed: 33 })
}
