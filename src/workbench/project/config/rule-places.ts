import { canonicalJson, type FilePlace, type Rule, ruleKey } from '../../../entries/kit.ts'

const LISTS = ['deny', 'ask', 'allow'] as const

/**
 * Finds the lines of the rules of a configuration in its text, JSON or code, by `ruleKey`. A rule that is not written as a literal in
 * a list of its name, such as one of an imported constant, has the line of the first `permissions`, or no line.
 *
 * Runs and evaluates nothing: the rules are known, and only searched for.
 */
export function rulePlaces(
  text: string,
  file: string,
  rules: Readonly<Partial<Record<(typeof LISTS)[number], readonly Rule[]>>>,
): ReadonlyMap<string, FilePlace> {
  const places = new Map<string, FilePlace>()
  if (LISTS.every((list) => (rules[list] ?? []).length === 0)) return places
  const tokens = readTokens(text)
  const first = tokens.find(
    ({ kind, text: word }) => kind !== 'punctuation' && word === 'permissions',
  )
  for (const list of LISTS) {
    const known = rules[list] ?? []
    const found = listsNamed(list, tokens)
    // Of a key that is written twice, the last one counts.
    const written = found.findLast((items) => isWritten(items, known))
    const lines = new Map(
      found
        .flat()
        .map(({ value, line }) => [value === undefined ? null : canonicalJson(value), line]),
    )
    for (const [at, rule] of known.entries()) {
      const line = written?.[at]?.line ?? lines.get(ruleText(rule)) ?? first?.line
      const key = ruleKey(list, rule)
      if (!places.has(key)) places.set(key, { file, ...(line !== undefined && { line }) })
    }
  }
  return places
}

/** A value in a text. `value` is undefined for code. */
interface Item {
  readonly line: number
  readonly value: unknown
}

/** Returns a rule as JSON: its key without the name of a list. */
function ruleText(rule: Rule): string {
  return ruleKey('deny', rule).slice('deny '.length)
}

/** Returns true when the items of a list are the rules: those that are no code are equal. */
function isWritten(items: readonly Item[], rules: readonly Rule[]): boolean {
  return (
    items.length === rules.length &&
    rules.every((rule, at) => {
      const value = items[at]?.value
      return value === undefined || canonicalJson(value) === ruleText(rule)
    })
  )
}

interface Token {
  readonly kind: 'string' | 'word' | 'punctuation'
  /** The content of a string, or the word or character. */
  readonly text: string
  readonly line: number
}

/** Returns the items of each list that is the value of a key. */
function listsNamed(key: string, tokens: readonly Token[]): readonly (readonly Item[])[] {
  const lists: (readonly Item[])[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as Token
    if (kind === 'punctuation' || text !== key) continue
    if (!isPunctuation(tokens[at + 1], ':') || !isPunctuation(tokens[at + 2], '[')) continue
    // A list inside is not read again: each token is read once.
    const { items, end } = itemsFrom(tokens, at + 3)
    lists.push(items)
    at = end - 1
  }
  return lists
}

function isPunctuation(token: Token | undefined, text: string): boolean {
  return token?.kind === 'punctuation' && token.text === text
}

/** Levels of a rule that are read as a value. */
const MAX_DEPTH = 8

/** Reads the items of a list from behind its `[`. */
function itemsFrom(
  tokens: readonly Token[],
  start: number,
  depth = 0,
): { readonly items: readonly Item[]; readonly end: number } {
  const items: Item[] = []
  let at = start
  while (at < tokens.length && !isPunctuation(tokens[at], ']')) {
    const line = tokens[at]?.line ?? 1
    const { value, end } = valueFrom(tokens, at, depth)
    items.push({ line, value })
    at = isPunctuation(tokens[end], ',') ? end + 1 : end
    // A text that cannot be parsed ends here.
    if (at === start || (end === at && !isPunctuation(tokens[at], ']'))) break
  }
  return { items, end: at + 1 }
}

interface ReadValue {
  readonly value: unknown
  /** The index of the token that ends the value: a comma, or the bracket that closes what it is in. */
  readonly end: number
}

/** Reads a value; code is undefined. */
function valueFrom(tokens: readonly Token[], at: number, depth: number): ReadValue {
  const { value, end } = literalFrom(tokens, at, depth)
  const isEnd = [',', ']', '}'].some((one) => isPunctuation(tokens[end], one))
  return isEnd ? { value, end } : { value: undefined, end: endOfCode(tokens, at) }
}

function literalFrom(tokens: readonly Token[], at: number, depth: number): ReadValue {
  const token = tokens[at]
  if (token?.kind === 'string') return { value: token.text, end: at + 1 }
  if (token?.kind === 'word' && Object.hasOwn(WORDS, token.text)) {
    return { value: WORDS[token.text], end: at + 1 }
  }
  if (depth < MAX_DEPTH && isPunctuation(token, '[')) {
    const { items, end } = itemsFrom(tokens, at + 1, depth + 1)
    const values = items.map(({ value }) => value)
    return { value: values.includes(undefined) ? undefined : values, end }
  }
  if (depth < MAX_DEPTH && isPunctuation(token, '{')) return objectFrom(tokens, at + 1, depth + 1)
  return { value: undefined, end: -1 }
}

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false }

function objectFrom(tokens: readonly Token[], start: number, depth: number): ReadValue {
  const entries: [string, unknown][] = []
  let at = start
  while (at < tokens.length && !isPunctuation(tokens[at], '}')) {
    const key = tokens[at]
    if (key === undefined || key.kind === 'punctuation' || !isPunctuation(tokens[at + 1], ':'))
      break
    const { value, end } = valueFrom(tokens, at + 2, depth)
    entries.push([key.text, value])
    at = isPunctuation(tokens[end], ',') ? end + 1 : end
  }
  if (!isPunctuation(tokens[at], '}')) return { value: undefined, end: -1 }
  const isValue = entries.every(([, value]) => value !== undefined)
  return { value: isValue ? Object.fromEntries(entries) : undefined, end: at + 1 }
}

/** Returns the index of the comma or bracket that ends an expression. */
function endOfCode(tokens: readonly Token[], start: number): number {
  let open = 0
  for (let at = start; at < tokens.length; at += 1) {
    const { kind, text } = tokens[at] as Token
    if (kind !== 'punctuation') continue
    if (open === 0 && (text === ',' || CLOSING.has(text))) return at
    if (OPENING.has(text)) open += 1
    if (CLOSING.has(text)) open -= 1
  }
  return tokens.length
}

const OPENING: ReadonlySet<string> = new Set(['[', '{', '('])
const CLOSING: ReadonlySet<string> = new Set([']', '}', ')'])

/** The beginning of a token. Quotes and comments are read by hand: a pattern could take too long for some texts. */
const START = /["'`]|\/[/*]|[\p{L}\p{N}_$]+|\S|\n/gu

function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = []
  let line = 1
  START.lastIndex = 0
  for (let found = START.exec(text); found !== null; found = START.exec(text)) {
    const { 0: start, index } = found
    const isQuote = QUOTES.has(start)
    const isComment = start === '//' || start === '/*'
    if (isQuote) START.lastIndex = endOfString(text, index)
    if (isComment) START.lastIndex = endOfComment(text, start, index)
    const token = text.slice(index, START.lastIndex)
    if (isQuote) tokens.push({ kind: 'string', text: unquoted(token), line })
    else if (!isComment && start !== '\n') {
      tokens.push({
        kind: /[\p{L}\p{N}_$]/u.test(start) ? 'word' : 'punctuation',
        text: start,
        line,
      })
    }
    for (const character of token) if (character === '\n') line += 1
  }
  return tokens
}

const QUOTES: ReadonlySet<string> = new Set(['"', "'", '`'])

/** Returns the offset behind a string, or the end of its line if it does not end there. */
function endOfString(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]
    if (character === quote) return at + 1
    if (character === '\n' && quote !== '`') return at
    if (character === '\\') at += 1
  }
  return text.length
}

function endOfComment(text: string, start: string, index: number): number {
  const end = text.indexOf(start === '//' ? '\n' : '*/', index + 2)
  if (end === -1) return text.length
  return start === '//' ? end : end + 2
}

/** Returns the content of a string. One with an escape that JSON does not have matches no rule. */
function unquoted(quoted: string): string {
  const content = quoted.slice(1, -1)
  if (!content.includes('\\')) return content
  const json = content.replaceAll(/\\['`]|\\[^]|["\n]/gu, (escape) => {
    if (escape === "\\'" || escape === '\\`') return escape.slice(1)
    return escape.length > 1 ? escape : JSON.stringify(escape).slice(1, -1)
  })
  try {
    return JSON.parse(`"${json}"`) as string
  } catch {
    return content
  }
}
