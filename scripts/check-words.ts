import { globSync, readFileSync } from 'node:fs'
import { checkWords } from './words/check-words.ts'

/**
 * `node scripts/check-words.ts [pattern...]`: finds retired idioms in comments and texts, and doc comments
 * that begin with a clause. Patterns are globs of files: `src`, `scripts` and `bench` by default.
 */
const patterns =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['src/**/*.{ts,tsx}', 'scripts/**/*.ts', 'bench/**/*.ts']

/** The list of exempt texts quotes them. */
const LIST = 'scripts/words/exempt-texts.ts'

const reports = globSync(patterns, { exclude: ['**/node_modules/**'] })
  .filter((file) => file !== LIST)
  .sort()
  .map((file) => checkWords(file, readFileSync(file, 'utf8')))

const findings = reports.flatMap((report) => report.findings)

for (const { file, line, message } of findings) console.log(`${file}:${line} ${message}`)

const words = reports.reduce((sum, report) => sum + report.words, 0)

const docComments = reports.reduce((sum, report) => sum + report.docComments, 0)

const clauses = findings.filter(({ rule }) => rule === 'clause-opening').length

const idioms = findings.filter(({ rule }) => rule === 'retired-idiom').length

const rate = words === 0 ? 0 : (idioms / words) * 10_000

console.log(
  `${reports.length} files, ${words} words: ${idioms} retired idioms (${rate.toFixed(0)} per 10,000), ` +
    `${clauses} of ${docComments} doc comments begin with a clause`,
)

if (reports.length === 0 || findings.length > 0) process.exitCode = 1
