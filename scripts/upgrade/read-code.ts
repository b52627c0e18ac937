/** A source with its code only. */
export interface Code {
  /** The source, with blanks for comments, texts and regular expressions. Places are the same. */
  readonly code: string
  /** The texts in quotes, without their quotes. */
  readonly literals: readonly Literal[]
}

/** A text in quotes, without the quotes. */
interface Literal {
  readonly at: number
  readonly value: string
}

/** Words after which a slash begins a regular expression. */
const BEFORE_PATTERN =
  /(?:^|[(,=:[!&|?;{}~+\-*%^]|=>|\b(?:return|typeof|case|in|of|await|yield|void|delete))\s*$/

/**
 * Separates code from comments, texts and regular expressions, in TypeScript, JavaScript and JSX.
 *
 * A text in quotes or a regular expression ends at its line, closed or not: so the apostrophe in a text of JSX hides no
 * more than that line.
 */
export function readCode(text: string): Code {
  const literals: Literal[] = []
  let code = ''
  let at = 0
  /** The number of open braces in each expression of a template that is read. */
  const templates: number[] = []
  const hide = (end: number) => {
    code += text.slice(at, end).replace(/[^\n]/g, ' ')
    at = end
  }
  const readTemplate = () => {
    const part = /(?:\\[^]|\$(?!\{)|[^\\`$])*/y
    part.lastIndex = at
    hide(at + (part.exec(text)?.[0].length ?? 0))
    if (text.startsWith('${', at)) templates.push(0)
    hide(Math.min(text.length, at + (text[at] === '`' ? 1 : 2)))
  }
  while (at < text.length) {
    const rest = (pattern: RegExp) => {
      pattern.lastIndex = at
      return pattern.exec(text)?.[0]
    }
    const comment = rest(/\/\/[^\n]*|\/\*[^]*?\*\/|^#![^\n]*/y)
    const quoted = rest(/'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y)
    const open = templates.at(-1)
    if (comment !== undefined) hide(at + comment.length)
    else if (quoted !== undefined) {
      literals.push({ at: at + 1, value: quoted.slice(1, -1) })
      hide(at + quoted.length)
    } else if (text[at] === '`') {
      hide(at + 1)
      readTemplate()
    } else if (text[at] === '/' && BEFORE_PATTERN.test(code.slice(-80))) {
      const pattern = rest(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y)
      hide(at + (pattern?.length ?? 1))
    } else if (text[at] === '}' && open === 0) {
      templates.pop()
      hide(at + 1)
      readTemplate()
    } else {
      if (open !== undefined && text[at] === '{') templates.splice(-1, 1, open + 1)
      if (open !== undefined && text[at] === '}') templates.splice(-1, 1, open - 1)
      code += text[at]
      at += 1
    }
  }
  return { code, literals }
}
