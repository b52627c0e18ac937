import type { SessionMetrics } from './calls/call-metrics.ts'
import { sessionMetrics } from './calls/session-metrics.ts'
import type { WorkspaceReader } from './workspace-reader.ts'

/** What became of the calls of several sessions, as if they were one: for all users of a host. */
export async function collectMetrics(
  workspaces: Iterable<Pick<WorkspaceReader, 'entries'>>,
): Promise<SessionMetrics> {
  return sessionMetrics(await Promise.all([...workspaces].map((one) => one.entries())))
}
