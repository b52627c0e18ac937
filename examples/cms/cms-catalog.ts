import { createCatalog, type Catalog } from 'loadout'
import { loadSkills } from 'loadout/node'
import { cmsAgent } from './cms-agent.ts'
import { CMS_TOOLS } from './tools/cms-tools.ts'

/** What all conversations of a process share: the tools, the rules of each topic, the agent. */
export async function cmsCatalog(): Promise<Catalog> {
  const { rules, diagnostics } = await loadSkills(`${import.meta.dirname}/rules`)
  return createCatalog({ tools: CMS_TOOLS, rules, agents: [cmsAgent], diagnostics })
}
