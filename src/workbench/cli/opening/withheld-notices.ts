import type { Entry, OpeningNotice, WorkspaceEvent } from '../../../entries/index.ts'
import { CONSENT_WITHHELD } from '../shell/report-diagnostics.ts'

/** Returns a notice of what a session allows without counting for this user; none when everything counts. */
export async function withheldNotices(
  session: string,
  entries: readonly Entry[],
): Promise<readonly OpeningNotice[]> {
  if (!entries.some(({ unsealed }) => unsealed === true)) return []
  const [{ fold, foldRecorded }, { droppedConsent }, { withoutWhat }, { rulesNotIn }] =
    await Promise.all([
      import('../../../engine/evolve/evolve.ts'),
      import('../../../connections/logs/jsonl/import-session.ts'),
      import('../../../engine/explain/describe-event.ts'),
      import('../../../engine/model/policy.ts'),
    ])
  const recorded = droppedConsent(foldRecorded(entries))
  if (recorded === null) return []
  const own = droppedConsent(fold(entries))
  const { allowedTools, ...all } = recorded
  const withheld: Extract<WorkspaceEvent, { type: 'session.imported' }> = {
    ...all,
    tools: all.tools.filter((tool) => own?.tools.includes(tool) !== true),
    confirmations: all.confirmations - (own?.confirmations ?? 0),
    rules: rulesNotIn(own?.rules ?? [], all.rules),
    ...(allowedTools !== undefined && own?.allowedTools === undefined && { allowedTools }),
    intents: all.intents - (own?.intents ?? 0),
  }
  const what = withoutWhat(withheld)
  if (what === null) return []
  return [
    {
      code: CONSENT_WITHHELD,
      message: `The session "${session}" is used ${what}. Somebody else gave this consent, or you did with another home.`,
      hint: 'Calls that it allowed ask again. Answer them, or allow them in your configuration and add --policy replace.',
    },
  ]
}
