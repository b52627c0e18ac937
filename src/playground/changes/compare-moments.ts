import type { ToolDifference } from '../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { diffDocuments, type DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** What a model has at one moment: taken from a live session it stays as it was. */
export interface CapturedMoment {
  /** The tools that can be called, by name. */
  readonly available: ReadonlyMap<
    string,
    { readonly owner: string; readonly hash: ContentHash | undefined }
  >
  readonly document: PromptDocument
}

/** How two moments differ for a model. */
export interface MomentDifference {
  readonly tools: ToolDifference
  readonly document: DocumentDiff
}

/** Take down what a model has now, for a comparison. */
export function captureMoment(reader: WorkspaceReader): CapturedMoment {
  const available = reader.tools().filter(({ status }) => status === 'available')
  return {
    available: new Map(
      available.map(({ name, owner, tool }) => [name, { owner, hash: tool?.hash }]),
    ),
    document: reader.prompt().document,
  }
}

/** Compare two moments, whichever was first. */
export function compareMoments(
  { available: was, document: before }: CapturedMoment,
  { available: is, document: after }: CapturedMoment,
  counter: TokenCounter,
): MomentDifference {
  return {
    tools: {
      added: [...is.keys()].filter((name) => !was.has(name)),
      removed: [...was.keys()].filter((name) => !is.has(name)),
      changed: [...is].flatMap(([name, { owner, hash }]) => {
        const old = was.get(name)
        return old !== undefined && (old.hash !== hash || old.owner !== owner) ? name : []
      }),
    },
    document: diffDocuments(before, after, counter),
  }
}
