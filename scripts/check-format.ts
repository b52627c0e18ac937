import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check, getFileInfo, resolveConfig } from 'prettier'
import { PROJECT, projectFiles } from './run-command.ts'

/** Does the same as `prettier --check .`, and prints how many files it read. */
let checked = 0

const unformatted: string[] = []

for (const path of projectFiles(PROJECT)) {
  const file = join(PROJECT, path)
  const { ignored, inferredParser } = await getFileInfo(file, {
    ignorePath: join(PROJECT, '.prettierignore'),
  })
  if (ignored || inferredParser === null) continue
  checked += 1
  const options = { ...(await resolveConfig(file)), filepath: file }
  if (!(await check(readFileSync(file, 'utf8'), options))) unformatted.push(path)
}

for (const path of unformatted) console.error(`${path} is not formatted. Run "npm run format".`)

console.log(`${checked} files, ${unformatted.length} to format`)

if (checked === 0 || unformatted.length > 0) process.exitCode = 1
