import type { ToolListing, Verdict } from '../../../entries/index.ts'
import { reasonText } from '../../../entries/kit.ts'
import type { Report } from '../report.ts'

/** Explains a tool or a skill: its status, where it is from, the reasons entry by entry, and what would change it. */
export function verdictReport(verdict: Verdict): Report {
  const { name, kind, status, source, owner, sentAs, sentChanges = [], because, fix } = verdict
  const tone = status === 'available' || status === 'active' ? 'good' : 'warning'
  const text = status === 'unknown' ? name : `${name} (${kind})`
  return [
    { kind: 'heading', text, value: { text: status, tone } },
    ...(kind === 'tool' && source !== null
      ? [{ kind: 'text', text: `from: ${sourceText({ source, owner: owner ?? '' })}` } as const]
      : []),
    ...(sentAs === undefined ? [] : [{ kind: 'text', text: `sent as: ${sentAs}` } as const]),
    ...sentChanges.map((one) => ({ kind: 'text', text: `sent otherwise: ${one}` }) as const),
    ...because.map((one) => ({ kind: 'text', text: reasonText(one), indented: true }) as const),
    ...(fix === '' ? [] : [{ kind: 'action', text: fix } as const]),
  ]
}

/** Writes where a tool is from: `skill pdf`, `global`. */
export function sourceText({ source, owner }: Pick<ToolListing, 'source' | 'owner'>): string {
  return source === 'global' ? owner : `${source} ${owner}`
}
