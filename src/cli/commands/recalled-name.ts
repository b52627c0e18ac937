import type { Entry } from '../../engine/model/event.ts'
import type { Reason } from '../../engine/explain/reason.ts'
import { describeCause } from '../../engine/explain/describe-cause.ts'
import { describeEvent } from '../../engine/explain/describe-event.ts'
import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'
import type { WhyReport } from './why-report.ts'

/**
 * What the log still says of a name that no definition at hand has: a skill that was put away, or its
 * tool, where nobody gave the folder of the skill. Any other report stays as it is.
 */
export async function recalledName(
  report: WhyReport,
  workspace: WorkspaceReader,
): Promise<WhyReport> {
  if (report.status !== 'unknown') return report
  const entries = (await workspace.entries()).filter(({ seq }) => seq <= workspace.state.seq)
  const opened = entries.findLast((entry) => brings(entry, report.name))
  if (opened?.event.type !== 'source.opened') return report
  const { owner, source } = opened.event
  const closed = entries.findLast(
    ({ seq, event }) => seq > opened.seq && event.type === 'source.closed' && event.owner === owner,
  )
  return {
    ...report,
    source,
    owner,
    because: [opened, ...(closed ? [closed] : [])].map(reason),
    fix:
      source === 'skill'
        ? `Give the path of the skill "${owner}", too: the log has it, and no path given here does.`
        : 'Ask the program that registers it: no path given here does.',
  }
}

function brings({ event }: Entry, name: string): boolean {
  return (
    event.type === 'source.opened' &&
    (event.owner === name || event.claims.some((claim) => claim.name === name))
  )
}

function reason({ seq, cause, event }: Entry): Reason {
  const happened = `${describeCause(cause)}: ${describeEvent(event)}.`
  return { seq, text: happened.charAt(0).toUpperCase() + happened.slice(1) }
}
