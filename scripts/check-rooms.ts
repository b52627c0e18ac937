import { resolve } from 'node:path'
import { checkRooms } from './rooms/check-rooms.ts'

/** `node scripts/check-rooms.ts [project]`: print each violation, then how much was looked at. */
const { sources, outsiders, imports, violations } = checkRooms(resolve(process.argv[2] ?? '.'))
for (const { file, line, rule, message } of violations) {
  console.error(`${file}:${line} ${rule}: ${message}`)
}
console.log(
  `${sources} source files, ${outsiders} files of examples and bench, ${imports} imports, ${violations.length} violations`,
)
if (sources === 0) console.error('There is no source file to look at.')
if (sources === 0 || imports === 0 || violations.length > 0) process.exitCode = 1
