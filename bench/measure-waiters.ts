import { createCatalog, defineTool, type EventLog, VirtualWorkspace } from 'loadout'
import type { SessionFigure } from './measure-sessions.ts'
import { takeSamples } from './take-samples.ts'

const WAITERS = [0, 1, 10]

/** Entries of the session before the measurement, by calls: about two each. */
const CALLS_BEFORE = 1_000

/** Measures a call while other workspaces wait for the end of a background call of the same session. */
export async function measureWaiters(
  name: string,
  log: EventLog,
): Promise<readonly SessionFigure[]> {
  const figures: SessionFigure[] = []
  for (const waiters of WAITERS) {
    const work = Promise.withResolvers<string>()
    const job = defineTool({
      name: 'job',
      description: 'Takes long.',
      background: true,
      timeoutMs: 3_600_000,
      execute: () => work.promise,
    })
    const look = defineTool({ name: 'look', description: 'Looks.', execute: () => 1 })
    const catalog = await createCatalog({ tools: [job, look] })
    const open = () => VirtualWorkspace.open({ catalog, log, session: `next to ${waiters}` })
    const workspace = await open()
    for (let call = 0; call < CALLS_BEFORE; call += 1) await workspace.callTool('look', {})
    const { meta } = await workspace.callTool('job', {})
    const others = await Promise.all(Array.from({ length: waiters }, open))
    const waiting = others.map((other) => other.calls.waitFor(meta.call))
    const { median } = await takeSamples(() => workspace.callTool('look', {}), { runs: 100 })
    const what = `a call next to ${waiters} ${waiters === 1 ? 'waiter' : 'waiters'} for the end of another`
    figures.push({ log: name, what, value: Number(median.toPrecision(3)), unit: 'ms' })
    work.resolve('done')
    for (const report of await Promise.all(waiting)) {
      if (report?.status !== 'done') throw new Error('A waiter did not hear of the end.')
    }
    for (const one of [workspace, ...others]) await one.close()
  }
  return figures
}
