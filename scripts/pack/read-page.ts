/** A link or a picture of a page in Markdown. */
export interface PageLink {
  /** The address, such as `docs/search.md#phrases`. */
  readonly target: string
  readonly isPicture: boolean
  /** The place of the address in the page. */
  readonly at: number
  /** The place of the opening bracket, for the form `[text](address)`. */
  readonly opens: number | undefined
}

const FORMS = [
  /\]\((?<target>[^)\s]+)(?:\s+"[^"]*")?\)/g,
  /^\[[^\]\n]+\]:\s*(?<target>\S+)/gm,
  /<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)="(?<target>[^"]+)"/g,
]

/** Returns the links and pictures of a page, in their order. */
export function pageLinks(text: string): readonly PageLink[] {
  const prose = withoutCode(text)
  return FORMS.flatMap((form) =>
    [...prose.matchAll(form)].map(({ 0: found, index, groups }) => {
      const target = groups?.['target'] ?? ''
      const at = index + found.indexOf(target)
      const opens = found.startsWith(']') ? openingBracket(prose, index) : undefined
      const isPicture = opens === undefined ? /^<(?!a\b)/.test(found) : prose[opens - 1] === '!'
      return { target, isPicture, at, opens }
    }),
  ).toSorted((one, other) => one.at - other.at)
}

/** Returns GitHub's names of the headings of a page; a repeated heading gets a number. */
export function pageAnchors(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>()
  const names = new Set<string>()
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '')
    const name = words.trim().replaceAll(' ', '-')
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    names.add(times === 0 ? name : `${name}-${times}`)
  }
  return names
}

/** Blanks out code, where brackets have another meaning. Places in the text stay the same. */
function withoutCode(text: string): string {
  return withoutFences(text).replace(/(?<!`)(`+)(?!`)(?:(?!\n\n)[^])*?(?<!`)\1(?!`)/g, blank)
}

function withoutFences(text: string): string {
  return text.replace(/^ *(`{3,}|~{3,})[^]*?(?:^ *\1[`~]*[ \r]*$|(?![^]))/gm, blank)
}

function blank(code: string): string {
  return code.replace(/[^\n]/g, ' ')
}

/** Returns the place of the bracket that opens the text of a link, before the one that closes it. */
function openingBracket(prose: string, closing: number): number {
  let depth = 1
  let at = closing
  while (depth > 0 && at > 0) {
    at -= 1
    if (prose[at] === ']') depth += 1
    else if (prose[at] === '[') depth -= 1
  }
  return at
}
