import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../run-command.ts'
import type { ClientName } from '../../src/connections/clients/client-profile.ts'
import type { CompactListing } from './compact-listing.ts'

/** The stored observations of one version of a client. */
export interface ObservedClient {
  readonly client: ClientName
  readonly version: string
  /** The built-in skills in the order of the list, with the length of the description of each. */
  readonly builtIns: readonly (readonly [name: string, length: number])[]
  /** By the id of the case; the digest is that of the case. */
  readonly cases: Record<string, { readonly digest: string; readonly listed: CompactListing }>
}

const FOLDER = join(PROJECT, 'tests', 'connections', 'clients', 'observed')

/** Reads the stored observations of a client. */
export function readObserved(client: ClientName): ObservedClient {
  return JSON.parse(readFileSync(join(FOLDER, `${client}.json`), 'utf8')) as ObservedClient
}

/** Stores observations in one line a case, so that a change of one is a change of one line. */
export function writeObserved({ cases, ...head }: ObservedClient): void {
  const lines = Object.entries(cases).map(
    ([id, one]) => `    ${JSON.stringify(id)}: ${JSON.stringify(one)}`,
  )
  const text = `${JSON.stringify(head, null, 1).slice(0, -2)},\n "cases": {\n${lines.join(',\n')}\n }\n}\n`
  writeFileSync(join(FOLDER, `${head.client}.json`), text)
}
