import { EXPOSURES } from 'loadout/adapter'
import {
  VirtualWorkspace,
  type Catalog,
  type ExposureName,
  type PromptRequest,
  type ProviderName,
} from 'loadout'
import type { CmsServices } from '../cms-services.ts'
import { counter } from './count-tokens.ts'
import { withEverything } from './with-everything.ts'

/** How a conversation is run: a strategy with search, or everything in every request, without. */
export type Setup = ExposureName | 'everything'

export const SETUPS: readonly Setup[] = [
  'everything',
  ...(Object.keys(EXPOSURES) as ExposureName[]),
]

/** A workspace for one conversation. */
export function openCms(
  catalog: Catalog,
  setup: Setup,
  { services, provider }: { readonly services: CmsServices; readonly provider: ProviderName },
): Promise<VirtualWorkspace> {
  const shared = { catalog, services, provider, tokenCounter: counter }
  return setup === 'everything'
    ? VirtualWorkspace.open({
        ...shared,
        agent: withEverything(catalog),
        exposure: 'active',
        metaTools: [],
      })
    : VirtualWorkspace.open({ ...shared, agent: 'editor', exposure: setup })
}

/** What of the workspace's own sections a setup sends: `everything` is to cost what a plain loop does. */
export function promptOf(setup: Setup): PromptRequest {
  return setup === 'everything' ? { includeAvailableTools: false, includeWorkingMemory: false } : {}
}
