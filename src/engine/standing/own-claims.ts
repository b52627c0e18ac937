import type { Tool } from '../../tools/definition/tool.ts'
import type { Claim } from '../model/source-event.ts'

/**
 * The claims of one owner, those it has and those it is about to get, by their names: each of ten
 * thousand tools asks whether another one stands in its way.
 */
export class OwnClaims {
  readonly #byName = new Map<string, Claim[]>()
  readonly #byDefinition = new Map<string, Claim[]>()

  /** @param replace it may put other definitions in the place of those it has */
  constructor(known: readonly Claim[], replace: boolean) {
    for (const claim of known) {
      addTo(this.#byName, claim.name, claim)
      if (!replace) addTo(this.#byDefinition, claim.definedAs, claim)
    }
  }

  add(claim: Claim): void {
    addTo(this.#byName, claim.name, claim)
    addTo(this.#byDefinition, claim.definedAs, claim)
  }

  /** Whether it has another definition of that name and version. */
  hasOther({ name, version, hash }: Pick<Tool, 'name' | 'version' | 'hash'>): boolean {
    const known = this.#byDefinition.get(name) ?? []
    return known.some((one) => one.version === version && one.hash !== hash)
  }

  /** Whether a tool of its own that is defined as something else goes by a name. */
  isTaken(name: string, definedAs: string): boolean {
    return this.#byName.get(name)?.some((one) => one.definedAs !== definedAs) ?? false
  }
}

function addTo(claims: Map<string, Claim[]>, name: string, claim: Claim): void {
  const known = claims.get(name)
  if (known) known.push(claim)
  else claims.set(name, [claim])
}
