import { sep } from 'node:path'
import { PROJECT, runCommand } from './run-command.ts'

/** Does the same as `tsc --noEmit`, and prints how many files of this project it read. */
const { passed, output } = runCommand('tsc', ['--noEmit', '--listFiles'])
const listed = output.split('\n').filter(isListed)
const findings = output.split('\n').filter((line) => line !== '' && !isListed(line))
const own = listed.filter((file) => !file.includes(`${sep}node_modules${sep}`))
const tests = own.filter((file) => file.endsWith('.test-d.ts'))
for (const line of findings) console.error(line)
console.log(`${own.length} files, ${tests.length} of them type tests`)
if (!passed || own.length === 0) process.exitCode = 1

function isListed(line: string): boolean {
  return line.startsWith(`${PROJECT}${sep}`)
}
