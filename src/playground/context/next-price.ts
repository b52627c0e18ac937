import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import { nextRequest, type StepPreview } from '../../workspace/offer/preview-step.ts'
import type { WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** The price of the next request at the moment shown, read in the background. */
export interface NextPrice {
  /** The last one that was read; null before the first, and when the strategy of the session fails. */
  current(): StepPreview | null
  /** Reads it when the session changed since, and resolves when `current` is up to date. */
  read(): Promise<StepPreview | null>
}

/** Reads the price of the next request once for each state of a session. */
export function createNextPrice(reader: () => WorkspaceReader): NextPrice {
  let shown: StepPreview | null = null
  let last: { readonly state: WorkspaceState; readonly price: Promise<StepPreview | null> } | null
  last = null
  return {
    current: () => shown,
    read() {
      const session = reader()
      const { state } = session
      if (last?.state === state) return last.price
      const price = previewOf(session).then((preview) => {
        if (last?.price === price) shown = preview
        return preview
      })
      last = { state, price }
      return price
    },
  }
}

/** Previews the next request; null when the strategy of the host fails. */
export function previewOf(session: WorkspaceReader): Promise<StepPreview | null> {
  return nextRequest(session).catch(() => null)
}
