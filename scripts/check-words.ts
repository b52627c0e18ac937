import { globSync, readFileSync } from 'node:fs'
import { readWords } from './words/read-words.ts'
import { CLAUSE_OPENING, RETIRED_WORDS } from './words/retired-words.ts'

/**
 * `node scripts/check-words.ts [pattern...]`: finds retired idioms in comments and texts, and doc comments
 * that begin with a clause. Patterns are globs of files, `src` by default.
 */
const patterns = process.argv.length > 2 ? process.argv.slice(2) : ['src/**/*.{ts,tsx}']
let words = 0
let docComments = 0
let idioms = 0
let clauses = 0

const files = globSync(patterns).sort()
for (const file of files) {
  const source = readFileSync(file, 'utf8')
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  for (const { kind, text, at } of readWords(file, source)) {
    words += text.split(/\s+/).length
    for (const { pattern, instead } of RETIRED_WORDS) {
      for (const [found] of text.matchAll(new RegExp(pattern, 'gi'))) {
        idioms += 1
        console.log(`${file}:${lineAt(at)} ${kind}: "${found}" is retired. Write: ${instead}.`)
      }
    }
    if (kind !== 'doc comment') continue
    docComments += 1
    if (!CLAUSE_OPENING.test(text)) continue
    clauses += 1
    console.log(`${file}:${lineAt(at)} doc comment begins with "${text.split(' ')[0]}".`)
  }
}

const rate = words === 0 ? 0 : (idioms / words) * 10_000
console.log(
  `${files.length} files, ${words} words: ${idioms} retired idioms (${rate.toFixed(0)} per 10,000), ` +
    `${clauses} of ${docComments} doc comments begin with a clause`,
)
if (files.length === 0 || idioms + clauses > 0) process.exitCode = 1
