import { createTwoFilesPatch } from 'diff'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packProject } from '../try-package.ts'
import { compareRecords, readExplained } from './compare-records.ts'
import { makeStored } from './make-stored.ts'
import { openInstalled } from './open-installed.ts'
import { missingCommands } from './record-commands.ts'
import { writeRecords } from './record-file.ts'
import { commandGroups, recordedUnits } from './recorded-units.ts'
import { recordedBefore, recordsFile, runUnits } from './run-units.ts'

/**
 * `npm run recorded`: compares what the packed package prints, draws, sends and opens with what was recorded in
 * tests/recorded. Fails on a difference that differences.json does not explain.
 *
 * npm run recorded -- --write                   # records what is missing
 * npm run recorded -- --only desk.txt           # runs only what is in this file of records
 * npm run recorded -- --write --only 'desk.txt: [exports]' # records what begins so again, whatever is recorded
 * npm run recorded -- --with TZ=Asia/Tokyo      # with another variable of the environment
 */
const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    with: { type: 'string', multiple: true, default: [] },
    /** The number of differences that are printed in full. */
    show: { type: 'string', default: '3' },
    /** A tarball that is there already. */
    tarball: { type: 'string' },
  },
})

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-recorded-'))

const more = Object.fromEntries(values.with.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))

using installed = openInstalled(values.tarball ?? packProject(folder.path).tarball, more)

const problems = [...(await missingCommands(commandGroups(), installed))].map(
  (line) => `No list in tests/recorded/commands has "${line}".`,
)

if (values.write && (await makeStored(installed))) console.log('Stored sessions and their like.')

const { only } = values

const units = recordedUnits().filter(({ file }) => only === undefined || only.startsWith(file))

const started = performance.now()

const { now, problems: found } = await runUnits(units, installed)

problems.push(...found)

const files = [...new Set(units.map(({ file }) => file))]

const before = recordedBefore(files)

if (values.write) {
  let written = 0
  for (const file of files) {
    const prefix = `${file}: `
    const names = [...now.keys(), ...before.keys()].filter((name) => name.startsWith(prefix))
    const records = [...new Set(names)].flatMap((name) => {
      const [known, fresh] = [before.get(name), now.get(name)]
      const isNamed = only !== undefined && name.startsWith(only)
      const text = isNamed ? fresh : (known ?? fresh)
      if (text !== known) written += 1
      return text === undefined ? [] : [{ name: name.slice(prefix.length), text }]
    })
    writeRecords(recordsFile(file), records)
  }
  console.log(`${written} records were written.`)
}

const { equal, explained, differences } = compareRecords(
  recordedBefore(files),
  now,
  readExplained().filter(({ record }) => files.some((file) => record.startsWith(`${file}: `))),
  true,
)

for (const { record, problem, texts } of differences.slice(0, Number(values.show))) {
  console.error(`\n${record} ${problem}`)
  if (texts !== undefined) {
    const [old, fresh] = texts.map((text) => (record.startsWith('bodies-') ? readable(text) : text))
    console.error(
      createTwoFilesPatch('recorded', 'now', old ?? '', fresh ?? '', '', '', { context: 3 }),
    )
  }
}

for (const { record, problem } of differences.slice(Number(values.show))) {
  console.error(`${record} ${problem}`)
}

for (const problem of problems) console.error(problem)

for (const kind of ['outputs', 'screens', 'prompts', 'bodies', 'stored'] as const) {
  const ofKind = new Set(units.filter((unit) => unit.kind === kind).map(({ file }) => file))
  const count = [...now.keys()].filter((name) => ofKind.has(name.split(': ')[0] ?? '')).length
  console.log(`${kind}: ${count}`)
}

console.log(
  `${now.size} records: ${equal} equal, ${explained} explained, ${differences.length} different, ${problems.length} problems; ${Math.round((performance.now() - started) / 1000)} s`,
)

if (differences.length + problems.length > 0 || now.size === 0) process.exitCode = 1

/** Writes a body in lines, so that a difference in it can be read. */
function readable(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  } catch {
    return text
  }
}
