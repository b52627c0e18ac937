import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { normaliseName } from '../../skills/find-skill.ts'

/** Characters that look like a Latin letter in many fonts, in upper or lower case, by that letter. */
const LOOKING_LIKE: Readonly<Record<string, string>> = {
  a: 'аαɑ',
  b: 'вβьƅ',
  c: 'с',
  d: 'ԁɗ',
  e: 'еєεҽ',
  f: 'ϝƒ',
  g: 'ɡց',
  h: 'һнηհ',
  i: 'іιɩ',
  j: 'јϳ',
  k: 'кκ',
  l: 'ӏ1',
  m: 'мμ',
  n: 'νпո',
  o: 'оοօ0',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гʀ',
  s: 'ѕ',
  t: 'тτ',
  u: 'υսʋ',
  v: 'ѵ',
  w: 'ԝѡω',
  x: 'хχ',
  y: 'уγү',
  z: 'ζᴢ',
}

const LATIN = new Map(
  Object.entries(LOOKING_LIKE).flatMap(([letter, others]) =>
    [...others].map((other) => [other, letter] as const),
  ),
)

const FOREIGN = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu')

/**
 * Warns about names that people or models confuse: they differ only in case, Unicode form, separators,
 * or letters of other scripts that look alike.
 *
 * Each name is compared with the first one that looks like it, so the work is linear in names.
 * `fileOf` returns the file that a name is from, if that is known.
 */
export function checkLookAlikes(
  kind: 'skill' | 'tool' | 'toolset' | 'agent',
  names: Iterable<string>,
  fileOf: (name: string) => string | undefined = () => undefined,
): readonly Diagnostic[] {
  const seen = new Map<string, string>()
  const diagnostics: Diagnostic[] = []
  for (const name of names) {
    const look = normaliseName(name).replace(FOREIGN, (letter) => LATIN.get(letter) ?? letter)
    const first = seen.get(look)
    if (first === undefined) seen.set(look, name)
    else if (first !== name) {
      const file = fileOf(name)
      const other = fileOf(first)
      diagnostics.push({
        code: 'look-alike-name',
        severity: 'warning',
        message: `The ${kind} "${name}" is easily confused with "${first}"${difference(name, first)}.`,
        hint: `Rename one of the two ${kind}s${other === undefined ? '' : `; the other one is ${other}`}.`,
        ...(file !== undefined && { file }),
      })
    }
  }
  return diagnostics
}

/** Describes the first characters that differ by their code points, since they look the same. */
function difference(name: string, first: string): string {
  const others = [...first]
  const [at, letter] = [...name].entries().find(([index, one]) => one !== others[index]) ?? []
  const other = at === undefined ? undefined : others[at]
  if (letter === undefined || other === undefined) return ''
  return `: one has ${codePoint(letter)} where the other has ${codePoint(other)}`
}

function codePoint(letter: string): string {
  const number = letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `"${letter}" (U+${number})`
}
