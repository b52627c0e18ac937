import type { Order } from '../model/command.ts'
import {
  type Approval,
  isSameTool,
  type PendingConfirmation,
  type Pin,
  type ToolIdentity,
} from '../model/consent-event.ts'
import { type Claim, isMeta, type OpenSource } from '../model/source-event.ts'

/**
 * Returns the approval that allows all calls of a registered tool with its current definition.
 * Meta-tools have none: their effect depends on the arguments.
 */
export function rememberedApproval(
  held: {
    readonly owner: Pick<OpenSource, 'source' | 'owner'>
    readonly claim: Pick<Claim, 'definedAs' | 'hash'>
  },
  { approvals }: { readonly approvals: readonly Approval[] },
): Approval | undefined {
  if (approvals.length === 0 || isMeta(held.owner)) return undefined
  const tool = toolIdentity(held)
  return approvals.find((one) => one.hash === held.claim.hash && isSameTool(one, tool))
}

const pinsMemo = new WeakMap<readonly Pin[], ReadonlyMap<string, Pin>>()

/**
 * Returns the pin that a registered tool violates: its definition is not one that was agreed to, so
 * the tool is in quarantine. Undefined for an unchanged tool, and for one without a pin.
 */
export function violatedPin(
  held: {
    readonly owner: Pick<OpenSource, 'source' | 'owner'>
    readonly claim: Pick<Claim, 'definedAs' | 'hash'>
  },
  { pins }: { readonly pins: readonly Pin[] },
): Pin | undefined {
  if (pins.length === 0) return undefined
  // Indexed, because a table asks for each of its rows.
  const known = pinsMemo.get(pins) ?? new Map(pins.map((pin) => [keyOf(pin), pin]))
  pinsMemo.set(pins, known)
  const pin = known.get(keyOf(toolIdentity(held)))
  return pin === undefined || pin.hashes.includes(held.claim.hash) ? undefined : pin
}

/** The length separates the two names, whatever they contain. */
function keyOf({ source, owner, tool }: ToolIdentity): string {
  return `${source} ${owner.length} ${owner} ${tool}`
}

/**
 * Returns the pins of some tools of one owner, by the names in their definitions. Takes one pass,
 * because an owner may register ten thousand tools at once, or one tool ten thousand times.
 */
export function pinsOf(
  { source, owner }: Pick<OpenSource, 'source' | 'owner'>,
  claims: readonly Pick<Claim, 'definedAs'>[],
  pins: readonly Pin[],
): ReadonlyMap<string, Pin> {
  if (pins.length === 0) return new Map()
  const wanted = new Set(claims.map(({ definedAs }) => definedAs))
  return new Map(
    pins
      .filter((one) => wanted.has(one.tool) && one.owner === owner && one.source === source)
      .map((pin) => [pin.tool, pin]),
  )
}

/** Returns the identity of the tool that a claim, or a row, is about. */
export function toolIdentity({
  owner: { source, owner },
  claim,
}: {
  readonly owner: Pick<OpenSource, 'source' | 'owner'>
  readonly claim: Pick<Claim, 'definedAs'>
}): ToolIdentity {
  return { source, owner, tool: claim.definedAs }
}

/**
 * Returns true when a confirmation is about the tool of this owner. Another owner's tool with the
 * same name and definition may act on something else.
 */
export function isConfirmationFor(
  asked: Pick<PendingConfirmation, 'source' | 'owner'>,
  { owner: { source, owner } }: { readonly owner: Pick<OpenSource, 'source' | 'owner'> },
): boolean {
  return asked.owner === undefined || (asked.owner === owner && asked.source === source)
}

/**
 * Returns true when a confirmation has expired: by the wall clock, which continues over restarts,
 * or by the monotonic clock of this process, which cannot be set back.
 */
export function isExpired(
  { id, expiresAt }: Pick<PendingConfirmation, 'id' | 'expiresAt'>,
  { now, outlived }: Pick<Order, 'now' | 'outlived'>,
): boolean {
  return now >= expiresAt || (outlived?.includes(id) ?? false)
}

/**
 * Returns the warning about a tool in quarantine, given when it is registered and when a session is
 * opened with it.
 */
export function toolChangedWarning(tool: string) {
  return {
    code: 'tool-changed',
    message: `The tool "${tool}" differs from the definition that was agreed to; it is in quarantine.`,
    hint: `Review the difference with explain, and accept it with acceptTool("${tool}").`,
  }
}
