/** Whether every word of a filter stands somewhere in the texts, whatever the case. */
export function matchesFilter(filter: string, texts: readonly string[]): boolean {
  if (filter === '') return true
  const words = filter.toLowerCase().split(' ')
  const all = texts.join('\n').toLowerCase()
  return words.every((word) => all.includes(word))
}
