import type { Pin } from '../model/consent-state.ts'
import type { Claim } from '../model/source-event.ts'
import type { OpenSource } from '../model/source-state.ts'

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
