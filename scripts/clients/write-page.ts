import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { CLIENT_NAMES } from '../../src/connections/clients/client-profile.ts'
import { PROJECT } from '../run-command.ts'
import { allCases } from './all-cases.ts'
import { compareProfile } from './compare-profile.ts'
import { readObserved } from './observed-client.ts'

const START = '<!-- clients: agreement -->'
const END = '<!-- end of clients -->'

/** Compares every profile with the stored results, and writes the table of docs/clients.md. Returns true if all agree. */
export async function writePage(): Promise<boolean> {
  const cases = new Map(allCases())
  const rows: string[] = []
  const differing: string[] = []
  for (const client of CLIENT_NAMES) {
    const { version, cases: observed } = readObserved(client)
    const counts = { same: 0, unknown: 0, other: 0 }
    for (const [id, { listed }] of Object.entries(observed)) {
      const one = cases.get(id)
      if (one === undefined) continue
      const { isSame, isUnknown, profile } = await compareProfile(client, one, id, listed)
      counts[isSame ? 'same' : isUnknown ? 'unknown' : 'other'] += 1
      if (isSame || isUnknown) continue
      const at = listed.findIndex((entry, index) => !isEqual(entry, profile[index]))
      const [real, own] = [listed[at], profile[at]].map((entry) =>
        JSON.stringify(entry ?? 'nothing'),
      )
      differing.push(
        `- ${client}, case \`${id}\`: the client lists \`${real}\`, the profile \`${own}\`.`,
      )
    }
    const all = counts.same + counts.unknown + counts.other
    rows.push(
      `| ${client} | ${version} | ${all} | ${counts.same} | ${counts.unknown} | ${counts.other} |`,
    )
  }
  const table = [
    '| client | version | folders | identical | marked unknown | differing |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows,
    ...(differing.length === 0 ? [] : ['', ...differing]),
  ].join('\n')
  const file = join(PROJECT, 'docs', 'clients.md')
  const text = readFileSync(file, 'utf8')
  const [before = '', rest = ''] = text.split(START)
  const page = `${before}${START}\n\n${table}\n\n${END}${rest.split(END)[1] ?? ''}`
  const style = await resolveConfig(file)
  writeFileSync(file, await format(page, { ...style, filepath: file }))
  console.log(table)
  return differing.length === 0
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
