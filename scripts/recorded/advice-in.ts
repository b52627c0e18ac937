/**
 * Returns the command lines that a text advises, without the word `loadout`.
 *
 * @param names the commands; other words after `loadout` are prose, unless they are marked as a command
 */
export function adviceIn(text: string, names: ReadonlySet<string>): readonly (readonly string[])[] {
  return [...text.matchAll(/(^|: |[\s("'`])loadout (?=([a-z]+\b[^]*))/g)].flatMap(
    ([, before = '', rest = '']) => {
      const [quoted = ''] = /["']/.test(before) ? rest.split(before) : [rest]
      const words = wordsOf(quoted)
      // Prose, or a folder to play.
      const isProse = before.trim() === ''
      return names.has(words[0] ?? '') || !isProse ? [words] : []
    },
  )
}

/** The words of a shell, up to the end of the sentence or of the command. */
function wordsOf(text: string): readonly string[] {
  const [line = ''] = text.split(
    /\n| \(|[.,;:)] |[.;)]"?[}\\]|[.,;:)]+$|`| (?:to|or|and|on|is|for|shows|in) | [|>#&]|\)/,
  )
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map(([, ...found]) =>
    (found.find((one) => one !== undefined) ?? '')
      .replaceAll(/<[^>]*>|…/g, 'x')
      .replace(/[.,;:]+$/, ''),
  )
}
