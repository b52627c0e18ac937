import type { ServerContext } from '@modelcontextprotocol/server'
import type { Principal, VirtualWorkspace } from '../../../entries/index.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import type { McpSdk } from './mcp-sdk.ts'
import { MAX_OPEN } from './named-sessions.ts'

/** Entries that the opening of a session writes, at most. */
const OPENING = 50

/** Principals whose entries are counted. The one that was counted least recently is forgotten. */
const MOST_PRINCIPALS = 10_000

/** The entries that a principal wrote, and since when it writes too many. */
interface Share {
  readonly budget: Budget
  over: string | null
  until: number
}

/** The shares of the principals of an endpoint in its log: all clients without a name have one together. */
export class ClientShares {
  readonly #sdk: McpSdk
  readonly #onFlood: (error: Error) => void
  readonly #shares = new Map<string, Share>()

  constructor(sdk: McpSdk, onFlood: (error: Error) => void) {
    this.#sdk = sdk
    this.#onFlood = onFlood
  }

  /**
   * Counts the entries of a session for its principal.
   *
   * @param since the time at which its opening began
   */
  async watch(principal: string, workspace: VirtualWorkspace, since: number): Promise<void> {
    let last = Math.max(-1, workspace.state.seq - OPENING)
    const count = async (seq: number) => {
      const from = last + 1
      last = seq
      for (const entry of await workspace.entries(from)) {
        const isOwn = entry.seq <= seq && entry.at >= since
        if (isOwn) this.#take(principal, JSON.stringify(entry).length)
      }
    }
    workspace.subscribe(({ seq }) => {
      // A log that cannot be read fails the next command, too.
      if (seq > last) void count(seq).catch(() => undefined)
    })
    await count(workspace.state.seq)
  }

  /** Returns why a principal may write nothing to the log now; null when it may. */
  over(principal: string): string | null {
    const share = this.#shares.get(principal)
    if (share === undefined || share.over === null) return null
    const waitMs = share.until - performance.now()
    if (waitMs > 0) return `${share.over} Try again in ${Math.ceil(waitMs / 1_000)} seconds.`
    share.over = null
    return null
  }

  /** Returns the connection that ends for a new one of a principal, if one must, or why there can be no new one. */
  room<Thing extends Owned>(
    open: ReadonlyMap<string, Thing>,
    principal: string,
  ): { readonly refused: string | null; readonly least?: Thing | undefined } {
    const refused = this.over(principal)
    if (refused !== null || open.size < MAX_OPEN) return { refused }
    const least = leastNeeded(open.values(), principal)
    const all = `The server has ${MAX_OPEN} connections, and none of yours may end.`
    return { refused: least === undefined ? all : null, least }
  }

  /** Throws the error of the protocol for a principal that may write nothing now. */
  check(principal: string): void {
    const over = this.over(principal)
    if (over !== null) throw this.refusal(over)
  }

  /** Returns the error of the protocol for a client that sends too much. */
  refusal(message: string): Error {
    const { ProtocolError, ProtocolErrorCode } = this.#sdk
    return new ProtocolError(ProtocolErrorCode.InvalidRequest, message, { code: 'client-floods' })
  }

  #take(principal: string, bytes: number): void {
    const share = this.#shares.get(principal) ?? {
      budget: new Budget('entries'),
      over: null,
      until: 0,
    }
    this.#shares.delete(principal)
    this.#shares.set(principal, share)
    const [oldest] = this.#shares.keys()
    if (this.#shares.size > MOST_PRINCIPALS && oldest !== undefined) this.#shares.delete(oldest)
    const waitMs = share.budget.waitMs(bytes)
    const over = share.budget.take(bytes)
    if (over === null || share.over !== null) return
    const who = principal === '' ? 'The clients without a name' : `"${principal}"`
    share.over = `${who} sent ${over}.`
    share.until = performance.now() + Math.min(waitMs, LONGEST_WAIT_MS)
    this.#onFlood(new Error(`${share.over} Its calls are refused until the minute is over.`))
  }
}

/** Milliseconds after an entry that is over the budget alone. */
const LONGEST_WAIT_MS = 60_000

/** A connection, or a question. */
interface Owned {
  readonly principal: string
  /** Its session, if a running call of it is to go on. */
  readonly session?: { readonly busy: number }
}

/**
 * Returns the first of some things, oldest first, that may end for a new one of an owner: one that is not busy, of the
 * owner that has the most, and of nobody who has fewer than the owner of the new one.
 */
export function leastNeeded<Thing extends Owned>(
  things: Iterable<Thing>,
  newcomer: string,
): Thing | undefined {
  const all = [...things]
  const counts = new Map<string, number>([[newcomer, 1]])
  for (const { principal } of all) counts.set(principal, (counts.get(principal) ?? 0) + 1)
  const count = (principal: string) => counts.get(principal) ?? 0
  const idle = all.filter(
    ({ session, principal }) => (session?.busy ?? 0) === 0 && count(principal) >= count(newcomer),
  )
  const most = Math.max(...idle.map(({ principal }) => count(principal)))
  return idle.find(({ principal }) => count(principal) === most)
}

/** Returns the id of the principal of a request; empty for a client without a name. */
export function requestPrincipal({ http }: ServerContext): string {
  return http?.authInfo?.clientId ?? ''
}

/** Returns the principal of a request in the form of the SDK. */
export function principalAuth(principal: Principal | null) {
  if (principal === null) return {}
  return {
    authInfo: { token: '', clientId: principal.id, scopes: [], extra: { principal } },
  }
}
