import type { StepPreview, WorkspaceReader, WorkspaceState } from '../../../entries/index.ts'
import { nextRequest, type StepCost } from '../../../entries/plan.ts'
import type { SentAs, SentSteps } from './sent-steps.ts'

/** The next request, with the one before it; that is null before the first step. */
export interface NextRequest extends StepPreview {
  readonly before: {
    readonly tokens: StepCost['tokens']
    tools(): readonly { readonly id: string; readonly tokens: number }[]
  } | null
}

/** The next request at the moment shown, read in the background. */
export interface NextPrice {
  /** The last one that was read; null before the first, and when the strategy of the session fails. */
  current(): NextRequest | null
  /** Reads it when the session changed since, and resolves when `current` is up to date. */
  read(): Promise<NextRequest | null>
}

/** Reads the next request once for each state of a session, and each way to send it. */
export function createNextPrice(
  reader: () => WorkspaceReader,
  sentAs: () => SentAs,
  sentSteps: SentSteps,
): NextPrice {
  let shown: NextRequest | null = null
  let last: {
    readonly state: WorkspaceState
    readonly sentAs: SentAs
    readonly price: Promise<NextRequest | null>
  } | null
  last = null
  return {
    current: () => shown,
    read() {
      const session = reader()
      const { state } = session
      const way = sentAs()
      if (last?.state === state && last.sentAs === way) return last.price
      const isOther = way.provider !== undefined || way.strategy !== undefined
      const own = async () => {
        const preview = await nextRequest(session)
        // The next request of another agent is not known, so nothing is compared with it.
        return state.opening?.observed ? { ...preview, before: null } : withBefore(preview, session)
      }
      const price = (isOther ? otherRequest(session, way, sentSteps) : own())
        .catch(() => null)
        .then((next) => {
          if (last?.price === price) shown = next
          return next
        })
      last = { state, sentAs: way, price }
      return price
    },
  }
}

/** Adds the last request of a session to its next one. */
export function withBefore(preview: StepPreview, session: WorkspaceReader): NextRequest {
  const { cost } = session.state
  if (cost === null) return { ...preview, before: null }
  const tools = () => {
    const sent = session.figures.ledger().lastStep?.tools ?? []
    return sent.flatMap(({ name, tokens, deferred }) => (deferred ? [] : { id: name, tokens }))
  }
  return { ...preview, before: { tokens: cost.tokens, tools } }
}

/** Previews the next request as if it and all requests before it had been sent in another way. */
async function otherRequest(
  session: WorkspaceReader,
  sentAs: SentAs,
  sentSteps: SentSteps,
): Promise<NextRequest> {
  const after = await sentSteps.lastUntil(session.state.seq, sentAs)
  if (after === null) return { ...(await nextRequest(session, sentAs)), before: null }
  const preview = await nextRequest(session, { ...sentAs, after })
  const tools = () => after.predicted.parts.filter(({ segment }) => segment === 'tools')
  return { ...preview, before: { tokens: after.cost.tokens, tools } }
}
