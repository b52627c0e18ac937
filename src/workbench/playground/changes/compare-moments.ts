import type {
  ContentHash,
  PromptDocument,
  StepPreview,
  TokenCounter,
  WorkspaceReader,
} from '../../../entries/index.ts'
import type { ToolDifference } from '../../../entries/kit.ts'
import {
  diffDocuments,
  type DocumentDiff,
  priceChange,
  type PricedChange,
} from '../../../entries/plan.ts'
import { previewOf } from '../context/next-price.ts'
import { listedTools } from '../rows/row-cache.ts'

/** A copy of the model's tools and prompt at one moment; it does not change with the session. */
export interface CapturedMoment {
  /** The available tools, by name. */
  readonly available: ReadonlyMap<
    string,
    { readonly owner: string; readonly hash: ContentHash | undefined }
  >
  readonly document: PromptDocument
  /** The next request; null when the strategy of the session fails. */
  readonly next: StepPreview | null
}

/** The difference between two moments for a model. */
export interface MomentDifference {
  readonly tools: ToolDifference
  readonly document: DocumentDiff
  readonly request: PricedChange | null
}

/** Captures the current tools and prompt, for a comparison. */
export async function captureMoment(reader: WorkspaceReader): Promise<CapturedMoment> {
  const next = await previewOf(reader)
  const tools = listedTools(reader)
  const available = tools.filter(({ status }) => status === 'available')
  return {
    available: new Map(
      available.map(({ name, owner, tool }) => [name, { owner, hash: tool?.hash }]),
    ),
    document: reader.prompt().document,
    next,
  }
}

/** Compares a moment with the current one of a session, with the price of the next request. */
export async function differenceSince(
  before: CapturedMoment,
  reader: WorkspaceReader,
  counter: TokenCounter,
): Promise<MomentDifference> {
  const after = await captureMoment(reader)
  const isPriced = before.next !== null && after.next !== null
  return {
    tools: compareTools(before, after),
    document: diffDocuments(before.document, after.document, counter),
    request: isPriced ? await priceChange(before.next, reader) : null,
  }
}

/** Compares the tools and the prompt of two moments. */
export function compareMoments(
  before: Omit<CapturedMoment, 'next'>,
  after: Omit<CapturedMoment, 'next'>,
  counter: TokenCounter,
): Omit<MomentDifference, 'request'> {
  return {
    tools: compareTools(before, after),
    document: diffDocuments(before.document, after.document, counter),
  }
}

type Available = Pick<CapturedMoment, 'available'>

function compareTools(
  { available: before }: Available,
  { available: after }: Available,
): ToolDifference {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: [...after].flatMap(([name, { owner, hash }]) => {
      const old = before.get(name)
      return old !== undefined && (old.hash !== hash || old.owner !== owner) ? name : []
    }),
  }
}
