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
 * The approval that lets every call of a registered tool run, at the definition it has now. None does for
 * a meta-tool: which skill or script it is about, only its arguments say.
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

const memo = new WeakMap<readonly Pin[], ReadonlyMap<string, Pin>>()

/**
 * The pin that a registered tool no longer keeps to: its definition is not one that was agreed to, so the
 * tool is in quarantine. Undefined for one that has not changed, and one that nobody is held to.
 */
export function violatedPin(
  held: {
    readonly owner: Pick<OpenSource, 'source' | 'owner'>
    readonly claim: Pick<Claim, 'definedAs' | 'hash'>
  },
  { pins }: { readonly pins: readonly Pin[] },
): Pin | undefined {
  if (pins.length === 0) return undefined
  // A table asks for each of its rows.
  const known = memo.get(pins) ?? new Map(pins.map((pin) => [keyOf(pin), pin]))
  memo.set(pins, known)
  const pin = known.get(keyOf(toolIdentity(held)))
  return pin === undefined || pin.hashes.includes(held.claim.hash) ? undefined : pin
}

/** The length keeps two names apart, whatever is in them. */
function keyOf({ source, owner, tool }: ToolIdentity): string {
  return `${source} ${owner.length} ${owner} ${tool}`
}

/**
 * The pins of some tools of one owner, by the names in their definitions: one pass, since an owner may
 * register ten thousand tools at once, or one ten thousand times.
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

/** The tool that a claim, such as that of a row, is about. */
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
 * Whether a question is about the tool of this owner: another's of the same name and definition may act on
 * something else.
 */
export function isConfirmationFor(
  asked: Pick<PendingConfirmation, 'source' | 'owner'>,
  { owner: { source, owner } }: { readonly owner: Pick<OpenSource, 'source' | 'owner'> },
): boolean {
  return asked.owner === undefined || (asked.owner === owner && asked.source === source)
}

/**
 * Whether the time of a confirmation is over: by the wall clock, which alone lasts over a restart, or by
 * the clock of this process, which nobody sets back.
 */
export function isExpired(
  { id, expiresAt }: Pick<PendingConfirmation, 'id' | 'expiresAt'>,
  { now, outlived }: Pick<Order, 'now' | 'outlived'>,
): boolean {
  return now >= expiresAt || (outlived?.includes(id) ?? false)
}

/** What a host is told of a tool in quarantine: when it comes, and when a session is opened with it. */
export function toolChangedWarning(tool: string) {
  return {
    code: 'tool-changed',
    message: `The tool "${tool}" differs from the definition that was agreed to; it is in quarantine.`,
    hint: `Review the difference with explain, and accept it with acceptTool("${tool}").`,
  }
}
