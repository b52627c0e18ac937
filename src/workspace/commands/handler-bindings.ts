import {
  type OpenClaim,
  type OpenSource,
  sameOwner,
  type ToolSource,
} from '../../engine/model/source-event.ts'
import type { WorkspaceState } from '../../engine/model/workspace-state.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** The tools that an owner registers, with the handlers of this process. */
export interface Registration {
  readonly source: ToolSource
  readonly owner: string
  readonly tools: readonly Tool[]
  readonly trusted?: false | undefined
}

/**
 * The handlers of components and of global tools in this process. A handler belongs to a claim: to the owner
 * and the definition that it registered. It is bound once the claim is in the log, and leaves with the
 * claim. The handlers of skills are in the catalog.
 */
export class HandlerBindings {
  readonly #tools = new WeakMap<OpenClaim, Tool>()
  /** The claims whose handler a source without the host's trust gave. Created with the first. */
  #untrusted: WeakSet<OpenClaim> | undefined

  /** Returns the tool of a claim with its handler; undefined when this process has none for it. */
  tool(claim: OpenClaim): Tool | undefined {
    return this.#tools.get(claim)
  }

  /**
   * Binds the tools of a registration to the claims of its owner.
   *
   * @param from the first entry of the registration: older claims keep their handlers
   */
  bind({ open }: WorkspaceState, registration: Registration, from = 0): void {
    const { tools, trusted = true } = registration
    const byHash = new Map(tools.map((tool) => [tool.hash, tool]))
    for (const claim of claimsOf(open, registration)) {
      const tool = claim.since < from ? undefined : byHash.get(claim.hash)
      // A source that the host does not trust cannot take over a tool by copying its definition.
      const isTaken = !trusted && this.#tools.has(claim) && this.#untrusted?.has(claim) !== true
      if (tool !== undefined && !isTaken) this.#set(claim, tool, trusted)
    }
  }

  #set(claim: OpenClaim, tool: Tool, trusted: boolean): void {
    this.#tools.set(claim, tool)
    if (trusted) this.#untrusted?.delete(claim)
    else (this.#untrusted ??= new WeakSet()).add(claim)
  }

  /**
   * Passes on the handlers of an owner that registered the same definitions again, here or in another
   * process.
   *
   * @param since the entry that registered them again
   */
  passOn(
    before: WorkspaceState,
    after: WorkspaceState,
    owner: Pick<OpenSource, 'source' | 'owner'>,
    since: number,
  ): void {
    const again = new Map<ContentHash, OpenClaim>()
    for (const claim of claimsOf(after.open, owner)) {
      if (claim.since === since) again.set(claim.hash, claim)
    }
    for (const claim of claimsOf(before.open, owner)) {
      const tool = this.#tools.get(claim)
      const now = again.get(claim.hash)
      if (tool && now) this.#set(now, tool, this.#untrusted?.has(claim) !== true)
    }
  }
}

function claimsOf(
  open: WorkspaceState['open'],
  owner: Pick<OpenSource, 'source' | 'owner'>,
): readonly OpenClaim[] {
  return open.find((one) => sameOwner(one, owner))?.claims ?? []
}
