import type { ToolDifference } from '../../engine/standing/tool-table.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { diffDocuments, type DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** A copy of the model's tools and prompt at one moment; it does not change with the session. */
export interface CapturedMoment {
  /** The available tools, by name. */
  readonly available: ReadonlyMap<
    string,
    { readonly owner: string; readonly hash: ContentHash | undefined }
  >
  readonly document: PromptDocument
}

/** The difference between two moments for a model. */
export interface MomentDifference {
  readonly tools: ToolDifference
  readonly document: DocumentDiff
}

/** Captures the current tools and prompt, for a comparison. */
export function captureMoment(reader: WorkspaceReader): CapturedMoment {
  const available = reader.tools().filter(({ status }) => status === 'available')
  return {
    available: new Map(
      available.map(({ name, owner, tool }) => [name, { owner, hash: tool?.hash }]),
    ),
    document: reader.prompt().document,
  }
}

/** Compares two moments. */
export function compareMoments(
  before: CapturedMoment,
  after: CapturedMoment,
  counter: TokenCounter,
): MomentDifference {
  return {
    tools: {
      added: [...after.available.keys()].filter((name) => !before.available.has(name)),
      removed: [...before.available.keys()].filter((name) => !after.available.has(name)),
      changed: [...after.available].flatMap(([name, { owner, hash }]) => {
        const old = before.available.get(name)
        return old !== undefined && (old.hash !== hash || old.owner !== owner) ? name : []
      }),
    },
    document: diffDocuments(before.document, after.document, counter),
  }
}
