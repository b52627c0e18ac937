import { resolve } from 'node:path'
import { checkRooms } from './rooms/check-rooms.ts'

/** `node scripts/check-rooms.ts [project]`: prints each violation, their number by rule, and how much was checked. */
const { sources, outsiders, imports, violations, figures } = checkRooms(
  resolve(process.argv[2] ?? '.'),
)

for (const { file, line, rule, message } of violations) {
  console.error(`${file}:${line} ${rule}: ${message}`)
}

console.log(`${figures.arrows.length} arrows between rooms: ${figures.arrows.join(', ')}`)

const byRule = new Map<string, number>()

for (const { rule } of violations) byRule.set(rule, (byRule.get(rule) ?? 0) + 1)

for (const [rule, count] of byRule) console.log(`${String(count).padStart(4)} ${rule}`)

console.log(
  `${sources} source files (${figures.filesPerThousandLines} per 1,000 lines, p90 ${figures.p90Lines} lines, longest ${figures.longest.codeLines} lines of code), ` +
    `${outsiders} files of examples and bench, ${imports} imports, ${violations.length} violations`,
)

if (sources === 0) console.error('There is no source file to check.')

if (sources === 0 || imports === 0 || violations.length > 0) process.exitCode = 1
