import fc from 'fast-check'
import { compilePattern } from '../../../src/schema/interpreter/compile-pattern.ts'

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '[^\\w-]',
  '\\d',
  '\\W',
  '\\s',
  '\\p{L}',
  '\\P{Letter}',
  '\\p{Script=Greek}',
  '\\u0061',
  '\\u{1F600}',
  '\\ud83d\\ude00',
  '😀',
  '\\x62',
  '\\cJ',
  '\\n',
  '\\.',
  '\\/',
  '[\\]\\\\b]',
  '^',
  '$',
  '\\b',
  '\\B',
)
const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '{0}', '*?', '{1,3}?')
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    atom,
    fc.tuple(tie('pattern'), quantifier).map(([inner, many]) => `(?:${inner})${many}`),
    fc
      .tuple(fc.constantFrom('(', '(?<g>', '(?=', '(?!', '(?<=', '(?<!'), tie('pattern'))
      .map(([open, inner]) => `${open}${inner})`),
  ),
  pattern: fc
    .array(fc.array(tie('term'), { maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((branches) => branches.map((terms) => terms.join('')).join('|')),
}))

/** Patterns of most forms. Those of one repeated character have a test of their own. */
export const randomPattern = fc.oneof(
  { arbitrary: pattern, weight: 9 },
  fc.tuple(atom, quantifier).map(([one, many]) => `^${one}${many}$`),
)

/** Texts of characters that the patterns tell apart. */
export const randomText = fc
  .array(fc.constantFrom('a', 'b', 'β', '1', '-', ' ', '\n', '😀', '\ud83d', '\u2028', ']', '.'), {
    maxLength: 8,
  })
  .map((characters) => characters.join(''))

/** Returns the verdict on a text, and the work that it took. */
export function match(
  pattern: string,
  text: string,
): { readonly found: boolean; readonly work: number } {
  const compiled = compilePattern(pattern)
  if (!compiled.ok) throw new Error(`${pattern} ${compiled.reason}`)
  let work = 0
  const found = compiled.test(text, (more) => {
    work += more
  })
  return { found, work }
}

/**
 * Returns true if the engine of the runtime gives the right verdict. V8 also looks behind, for `\B` and for what must
 * not follow, from the middle of a surrogate pair, where no match may begin. Some runtimes allow a name for one group
 * only.
 */
export function isComparable(pattern: string, text: string): boolean {
  if (!isPattern(pattern)) return false
  if (/\(\?<|\\B/u.test(pattern) && text.includes('😀')) return false
  const at = new RegExp(pattern, 'u').exec(text)?.index ?? 0
  return !/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, at - 1), at + 1))
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode
  } catch {
    return false
  }
}
