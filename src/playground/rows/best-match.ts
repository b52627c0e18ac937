/** The name a filter most likely means: one that begins with it, else one that holds it, else the first. */
export function bestMatch(names: readonly string[], filter: string): string | null {
  const typed = filter.toLowerCase()
  const lower = (name: string) => name.toLowerCase()
  return (
    names.find((name) => lower(name).startsWith(typed)) ??
    names.find((name) => lower(name).includes(typed)) ??
    names[0] ??
    null
  )
}
