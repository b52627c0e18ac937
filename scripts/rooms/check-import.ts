import { finding, type Finding } from './finding.ts'
import { packageName } from './package-name.ts'
import type { ImportFact } from './read-imports.ts'
import { resolveImport } from './resolve-import.ts'
import { adapterOf, ENTRIES, isPure, lineOf, roomOf } from './room-table.ts'

/** Nothing that a pure file may import besides its own and earlier rooms. */
const PURE_PACKAGES = new Set([
  'ajv',
  'diff',
  'fastest-levenshtein',
  'semver',
  'stemmer',
  'string-width',
  'wrap-ansi',
  'yaml',
  'zod',
])

/** Hashing and comparing; the rest of `node:crypto` rolls dice. */
const PURE_CRYPTO = new Set(['createHash', 'createHmac', 'hash', 'timingSafeEqual'])

/** What is wrong with one import of a file of `src`, if anything. */
export function checkImport(
  from: string,
  { specifier, names, at }: ImportFact,
): Finding | undefined {
  const target = resolveImport(from, specifier)
  if (target === undefined) return packageFinding(from, specifier, names, at)
  if (!target.startsWith('src/')) {
    return finding(at, 'outside-src', `${target} is not in src and will not be in the package.`)
  }
  const here = roomOf(from)
  const there = roomOf(target)
  if (here === ENTRIES) return undefined
  if (there === ENTRIES) {
    return finding(at, 'imports-entries', `Import from the room that holds it, not from ${target}.`)
  }
  const lineHere = lineOf(here) ?? 0
  const lineThere = lineOf(there) ?? 0
  if (lineThere > lineHere) {
    return finding(
      at,
      'later-room',
      `${here} (line ${lineHere}) may not import ${target} (line ${lineThere}). What it needs from above is handed to it.`,
    )
  }
  if (lineThere === lineHere && here !== there) {
    return finding(
      at,
      'neighbour-room',
      `${here} and ${there} are neighbours and may not import each other.`,
    )
  }
  if (here === 'adapters' && here === there && adapterOf(from) !== adapterOf(target)) {
    return finding(
      at,
      'other-adapter',
      `One adapter may not import another. Move what they share to an earlier line.`,
    )
  }
  if (isPure(from) && !isPure(target)) {
    return finding(at, 'impure-import', `${from} is pure and ${target} is not.`)
  }
  return undefined
}

function packageFinding(
  from: string,
  specifier: string,
  names: readonly string[],
  at: number,
): Finding | undefined {
  if (packageName(specifier) === 'loadout') {
    return finding(at, 'imports-entries', 'src does not import itself by its public name.')
  }
  if (!isPure(from) || PURE_PACKAGES.has(packageName(specifier))) return undefined
  if (specifier === 'node:crypto' && names.every((name) => PURE_CRYPTO.has(name))) return undefined
  const what = specifier === '' ? 'a computed path' : specifier
  return finding(at, 'impure-import', `${from} is pure and may not import ${what}.`)
}
