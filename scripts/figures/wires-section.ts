import { markdownTable } from './figures-section.ts'
import type { WireRecord } from '../wires/wire-part.ts'

/** The part of `bench/results/wires.json` that the page needs. */
interface WiresRun {
  readonly node: string
  readonly machine: { readonly processor: string; readonly cores: number }
  readonly parts: readonly WireRecord[]
}

/** Returns the results of the last `npm run wires`: one table for parts with the same text before a colon. */
export function wiresTables(results: unknown): string {
  const { node, machine, parts } = results as WiresRun
  const names = [...new Set(parts.map(tableOf))]
  const checked = sum(parts.map(({ bodies }) => bodies?.checked ?? 0))
  const refused = sum(parts.map(({ bodies }) => bodies?.refused ?? 0))
  const bodies = `The server checked ${number(checked)} bodies and refused ${refused}.`
  const ran = `Node ${node.slice(1)} on ${machine.cores} cores of a ${machine.processor}, used by other programs at the same time.`
  return [
    ...names.map((name) =>
      writeTable(
        name,
        parts.filter((part) => tableOf(part) === name),
      ),
    ),
    bodies,
    ran,
  ].join('\n\n')
}

function writeTable(name: string, parts: readonly WireRecord[]): string {
  const [first] = parts as [WireRecord]
  const failed = sum(parts.map(({ failures }) => failures.length))
  const seconds = sum(parts.map((part) => part.seconds))
  const dates = [...new Set(parts.map(({ date }) => date))].join(', ')
  const passed = failed === 0 ? 'It passed' : 'It failed'
  const rows = parts.flatMap((part) => part.rows)
  return [
    `### ${name}`,
    `${first.claim} ${passed} (${dates}, from seed ${first.seed}, ${number(Math.round(seconds))} s).`,
    markdownTable(
      first.columns,
      rows.map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : cell))),
    ),
  ].join('\n\n')
}

const tableOf = ({ name }: WireRecord): string => name.split(':')[0] ?? name

const number = (value: number): string => value.toLocaleString('en')

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
