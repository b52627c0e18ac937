import type { Pin } from '../model/consent-state.ts'
import type { Claim } from '../model/source-event.ts'
import { ownedToolOf } from './owned-tool-of.ts'
import type { OwnedTool } from '../model/owned-tool.ts'
import type { OpenSource } from '../model/source-state.ts'

const memo = new WeakMap<readonly Pin[], ReadonlyMap<string, Pin>>()

/**
 * The pin that a registered tool no longer keeps to: its definition is not one that was agreed to, so the
 * tool is in quarantine. Undefined for one that has not changed, and one that nobody is held to.
 */
export function brokenPin(
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
  const pin = known.get(keyOf(ownedToolOf(held)))
  return pin === undefined || pin.hashes.includes(held.claim.hash) ? undefined : pin
}

/** The length keeps two names apart, whatever is in them. */
function keyOf({ source, owner, tool }: OwnedTool): string {
  return `${source} ${owner.length} ${owner} ${tool}`
}
