import type { OpenClaim, OpenSource } from '../model/source-state.ts'

/** An open source with claims added; what it had given up of their names is its own again. */
export function reopened(known: OpenSource, claims: readonly OpenClaim[]): OpenSource {
  const opened = { ...known, claims: [...without(known.claims, claims), ...claims] }
  if (known.givenUp === undefined) return opened
  const back = new Set(claims.map(({ name }) => name))
  return { ...opened, givenUp: known.givenUp.filter((name) => !back.has(name)) }
}

/** The same without some of its names, which it does not take again by itself. */
export function givingUp(source: OpenSource, names: readonly string[]): OpenSource {
  const given = new Set(names)
  const claims = source.claims.filter(({ name }) => !given.has(name))
  return { ...source, claims, givenUp: [...new Set([...(source.givenUp ?? []), ...given])] }
}

/** Claims but for those that others of the same name and version replace. */
function without(claims: readonly OpenClaim[], others: readonly OpenClaim[]): readonly OpenClaim[] {
  const replaced = new Set(others.map(({ definedAs, version }) => `${definedAs}@${version}`))
  return claims.filter(({ definedAs, version }) => !replaced.has(`${definedAs}@${version}`))
}
