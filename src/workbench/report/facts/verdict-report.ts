import type { ToolListing, Verdict } from '../../../entries/index.ts'
import { reasonText, sanitiseLine } from '../../../entries/kit.ts'
import type { Report } from '../report.ts'

/** The outcome of a tool or a skill in a session of another agent. */
export type ObservedOutcome =
  | 'loaded'
  | 'called'
  | 'lost by compaction'
  | 'refused'
  | 'failed'
  | 'passed over'
  | 'deferred'
  | 'not sent'
  | 'cut'
  | 'shadowed'
  | 'disabled'
  | 'not listed'
  | 'not found'
  | 'unknown'

/** The outcome, its reason, and one change in the words of the agent. */
export interface ObservedAnswer {
  readonly client: string
  /** The kind that the name is taken for. */
  readonly kind: Verdict['kind']
  readonly outcome: ObservedOutcome
  /** The source of the reason: the transcript, or the folder of the session today. */
  readonly from: 'transcript' | 'folder'
  readonly reason: string
  readonly fix: string
}

type ServerHealth = NonNullable<Verdict['health']>

/** Explains a tool or a skill: its status, where it is from, the reasons entry by entry, and what would change it. */
export function verdictReport(
  verdict: Verdict & { readonly observed?: ObservedAnswer | null },
): Report {
  const {
    name,
    kind,
    status,
    source,
    owner,
    sentAs,
    sentChanges = [],
    health,
    because,
    observed = null,
  } = verdict
  const { fix } = observed ?? verdict
  const tone = status === 'available' || status === 'active' ? 'good' : 'warning'
  const text = status === 'unknown' ? name : `${name} (${kind})`
  return [
    { kind: 'heading', text, value: { text: status, tone } },
    ...(kind === 'tool' && source !== null
      ? [{ kind: 'text', text: `from: ${sourceText({ source, owner: owner ?? '' })}` } as const]
      : []),
    ...(sentAs === undefined ? [] : [{ kind: 'text', text: `sent as: ${sentAs}` } as const]),
    ...sentChanges.map((one) => ({ kind: 'text', text: `sent otherwise: ${one}` }) as const),
    ...(health === undefined ? [] : healthReport(health)),
    ...because.map((one) => ({ kind: 'text', text: reasonText(one), indented: true }) as const),
    ...(observed === null
      ? []
      : [{ kind: 'text', text: observedText(observed), indented: true } as const]),
    ...(fix === '' ? [] : [{ kind: 'action', text: fix } as const]),
  ]
}

/** Writes the outcome in a session of another agent, and where it is known from. */
function observedText({ client, outcome, from, reason }: ObservedAnswer): string {
  const now = from === 'folder' ? ', by its folder now' : ''
  return `${outcome} in ${client}${now}: ${sanitiseLine(reason)}`
}

/** Variables that are listed by name. */
const MOST_NAMES = 5

/** Shows the connection to a server: its state, the last lines that its program wrote, and the variables that it lacks. */
export function healthReport({
  server,
  status,
  since,
  ...health
}: Omit<ServerHealth, 'since'> & Partial<Pick<ServerHealth, 'since'>>): Report {
  const { problem, stderr, withheld } = health
  const shown = withheld.slice(0, MOST_NAMES).join(', ')
  const others = withheld.length - MOST_NAMES
  const names = others > 0 ? `${shown} and ${others} more` : shown
  const from = since === undefined ? '' : ` since ${new Date(since).toISOString()}`
  const why = problem === null ? '' : `: ${problem}`
  return [
    {
      kind: 'text',
      text: `server ${server}: ${status}${from}${why}`,
    },
    ...stderr.map((line) => ({ kind: 'text', text: `it wrote: ${line}`, indented: true }) as const),
    ...(withheld.length === 0
      ? []
      : [{ kind: 'text', text: `not passed on: ${names}`, indented: true } as const]),
  ]
}

/** Writes where a tool is from: `skill pdf`, `global`. */
export function sourceText({ source, owner }: Pick<ToolListing, 'source' | 'owner'>): string {
  return source === 'global' ? owner : `${source} ${owner}`
}
