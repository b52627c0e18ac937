/**
 * A page with what stands between `<!-- figures: name -->` and `<!-- end of figures -->` replaced, so
 * that numbers and facts in a text are never typed. Throws when the page has no such place.
 */
export function quote(page: string, name: string, text: string): string {
  const begin = `<!-- figures: ${name} -->`
  const start = page.indexOf(begin)
  const end = page.indexOf('<!-- end of figures -->', start)
  if (start < 0 || end < 0) throw new Error(`No place is marked with ${begin}.`)
  return `${page.slice(0, start + begin.length)}\n\n${text.trim()}\n\n${page.slice(end)}`
}
