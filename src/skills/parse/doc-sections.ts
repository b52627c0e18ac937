/**
 * What the documentation of a tool has to say, each with the headings it may stand under: those of
 * the published tools architecture, and plainer ones.
 */
const SECTIONS: readonly (readonly string[])[] = [
  ['Summary'],
  ['Preconditions', 'When to use'],
  ['Postconditions', 'Returns'],
  ['Failure modes', 'Errors'],
]

/** The sections that a `doc.md` lacks, each by the headings it could have; fenced text is no heading. */
export function missingDocSections(markdown: string): readonly (readonly string[])[] {
  const headings = new Set(headingsOf(markdown))
  return SECTIONS.filter((names) => !names.some((name) => headings.has(name.toLowerCase())))
}

function headingsOf(markdown: string): string[] {
  let fence = ''
  return markdown.split(/\r\n|\r|\n/).flatMap((line) => {
    const mark = line.trimStart().slice(0, 3)
    if (fence !== '') {
      if (mark === fence) fence = ''
      return []
    }
    if (mark === '```' || mark === '~~~') {
      fence = mark
      return []
    }
    if (!line.startsWith('#')) return []
    let level = 0
    while (line[level] === '#') level += 1
    return line[level] === ' ' ? [line.slice(level).trim().toLowerCase()] : []
  })
}
