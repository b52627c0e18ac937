import { expect, inject, test } from 'vitest'
import { compareRecords, readExplained } from '../../scripts/recorded/compare-records.ts'
import { openInstalled } from '../../scripts/recorded/open-installed.ts'
import { RECORDED_WIRES } from '../../scripts/recorded/record-bodies.ts'
import { missingCommands } from '../../scripts/recorded/record-commands.ts'
import {
  commandGroups,
  recordedUnits,
  type RecordedUnit,
} from '../../scripts/recorded/recorded-units.ts'
import { recordedBefore, runUnits } from '../../scripts/recorded/run-units.ts'
import { WIRE_DRIVERS } from '../connections/wires/wire-sessions/wire-drivers.ts'

/** The parts of each kind that are run here; `npm run recorded` runs all. */
const BOUNDS: Readonly<Record<RecordedUnit['kind'], number>> = {
  outputs: 10,
  screens: 2,
  prompts: 1,
  bodies: 3,
  stored: 5,
}

/** The commands that are run of each part, from its first one: a later one needs those before it. */
const MOST_COMMANDS = 4

/** Chooses the parts. Another number is another choice. */
const SEED = 7

/** Returns some of the units of a kind, spread by the seed over all of them. */
function chosen(kind: RecordedUnit['kind']): readonly RecordedUnit[] {
  const all = recordedUnits().filter((unit) => unit.kind === kind)
  const places = Array.from({ length: BOUNDS[kind] }, (_, index) =>
    Math.floor(((index + (SEED % 10) / 10) * all.length) / BOUNDS[kind]),
  )
  return places.flatMap((place) => all[place] ?? [])
}

test('the package prints, draws, sends and opens what it did when that was recorded', async () => {
  const units = (['outputs', 'screens', 'prompts', 'bodies', 'stored'] as const).flatMap(chosen)
  using installed = openInstalled(inject('tarball'))
  const { now, problems } = await runUnits(units, installed, MOST_COMMANDS)
  const before = recordedBefore(units.map(({ file }) => file))
  const { equal, explained, differences } = compareRecords(before, now, readExplained(), false)
  expect({ problems, differences }).toEqual({ problems: [], differences: [] })
  expect(equal + explained).toBeGreaterThan(300)
})

test('every command is recorded, as text and as JSON', async () => {
  using installed = openInstalled(inject('tarball'))
  expect(await missingCommands(commandGroups(), installed)).toEqual([])
})

/** Wires that came after the corpus was recorded. */
const LATER = new Set(['Gemini'])

test('every wire is recorded', () => {
  const names = WIRE_DRIVERS.map(({ name }) => name)
  expect(RECORDED_WIRES).toEqual(names.filter((name) => !LATER.has(name)))
})
