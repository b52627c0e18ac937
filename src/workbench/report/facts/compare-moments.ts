import type {
  PromptDocument,
  StepPreview,
  TokenCounter,
  ToolListing,
  WorkspaceReader,
} from '../../../entries/index.ts'
import type { ToolDifference } from '../../../entries/kit.ts'
import {
  diffDocuments,
  type DocumentDiff,
  nextRequest,
  priceChange,
  type PricedChange,
} from '../../../entries/plan.ts'
import { listedTools } from './cache-per-state.ts'
import { cachedPart } from './request-report.ts'

/** A copy of the model's tools and prompt at one moment; it does not change with the session. */
export interface CapturedMoment {
  /** The available tools, by name. */
  readonly available: ReadonlyMap<string, Pick<ToolListing, 'owner' | 'tool'>>
  readonly document: PromptDocument
  /** The next request; null when the strategy of the session fails. */
  readonly next: StepPreview | null
}

/** The difference between two moments for a model. */
export interface MomentDifference {
  readonly tools: ToolDifference
  readonly document: DocumentDiff
  /** The change of the next request; null when it is not known. */
  readonly request: PricedChange | null
}

/** Captures the current tools and prompt, for a comparison. */
export async function captureMoment(reader: WorkspaceReader): Promise<CapturedMoment> {
  // The strategy of the host may fail.
  const next = await nextRequest(reader).catch(() => null)
  return { available: availableTools(reader), document: reader.prompt().document, next }
}

/** Returns the available tools of a session, by name. */
export function availableTools(reader: WorkspaceReader): CapturedMoment['available'] {
  const available = listedTools(reader).filter(({ status }) => status === 'available')
  return new Map(available.map((one) => [one.name, one]))
}

/** Compares a moment with the current one of a session, with the price of the next request. */
export async function differenceSince(
  before: CapturedMoment,
  reader: WorkspaceReader,
  counter: TokenCounter,
): Promise<MomentDifference> {
  const after = await captureMoment(reader)
  const compared = compareMoments(before, after, counter)
  if (before.next === null || after.next === null) return { ...compared, request: null }
  const change = await priceChange(before.next, reader)
  return { ...compared, request: { ...change, kept: cachedPart(change.kept, after.next.cost) } }
}

/** Compares the tools and the prompt of two moments. */
export function compareMoments(
  before: Omit<CapturedMoment, 'next'>,
  after: Omit<CapturedMoment, 'next'>,
  counter: TokenCounter,
): Omit<MomentDifference, 'request'> {
  const [old, now] = [before.available, after.available]
  return {
    tools: {
      added: [...now.keys()].filter((name) => !old.has(name)),
      removed: [...old.keys()].filter((name) => !now.has(name)),
      changed: [...now].flatMap(([name, { owner, tool }]) => {
        const was = old.get(name)
        return was && (was.tool?.hash !== tool?.hash || was.owner !== owner) ? name : []
      }),
    },
    document: diffDocuments(before.document, after.document, counter),
  }
}
