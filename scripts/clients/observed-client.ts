import type { ClientName } from '../../src/connections/clients/client-profile.ts'
import type { CompactListing } from './compact-listing.ts'

/** What was observed of one version of a client, as it is stored. */
export interface ObservedClient {
  readonly client: ClientName
  readonly version: string
  /** The built-in skills in the order of the list, with the length of the description of each. */
  readonly builtIns: readonly (readonly [name: string, length: number])[]
  /** By the id of the case; the digest is that of the case. */
  readonly cases: Record<string, { readonly digest: string; readonly listed: CompactListing }>
}
