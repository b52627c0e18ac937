import type { ToolDifference } from '../engine/tool-difference.ts'
import type { TokenCounter } from '../kernel/token-counter.ts'
import { diffDocuments, type DocumentDiff } from '../render/prompt/diff-documents.ts'
import type { WorkspaceReader } from '../workspace/workspace-reader.ts'

/** How two moments of a session differ for its model. */
export interface MomentDifference {
  /** Tools that can be called: by name. */
  readonly tools: ToolDifference
  readonly document: DocumentDiff
}

/** Compare two moments, whichever was first. */
export function differenceOf(
  before: WorkspaceReader,
  after: WorkspaceReader,
  counter: TokenCounter,
): MomentDifference {
  const was = availableIn(before)
  const is = availableIn(after)
  return {
    tools: {
      added: [...is.keys()].filter((name) => !was.has(name)),
      removed: [...was.keys()].filter((name) => !is.has(name)),
      changed: [...is].flatMap(([name, { owner, hash }]) => {
        const old = was.get(name)
        return old !== undefined && (old.hash !== hash || old.owner !== owner) ? name : []
      }),
    },
    document: diffDocuments(before.prompt().document, after.prompt().document, counter),
  }
}

function availableIn(reader: WorkspaceReader) {
  const available = reader.tools().filter(({ status }) => status === 'available')
  return new Map(
    available.map(({ name, owner, tool }) => [name, { owner, hash: tool?.hash }] as const),
  )
}
