/** The hint for a name that is not known: the nearest names, or what else to do without one. */
export function didYouMean(nearest: readonly string[], otherwise: string): string {
  if (nearest.length === 0) return otherwise
  return `Did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}?`
}
