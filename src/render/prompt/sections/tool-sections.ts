import type { Catalog } from '../../../catalog/create/catalog.ts'
import type { PromptTier } from '../../../engine/model/mode-limits.ts'
import type { ToolRow } from '../../../engine/standing/tool-row.ts'
import { newSection } from '../document/new-section.ts'
import type { PromptItem, PromptSection } from '../document/prompt-document.ts'
import type { SchemasInRequest } from '../document/prompt-input.ts'
import { SECTION_TITLE } from '../document/section-title.ts'
import type { ReuseSection } from '../document/reuse-section.ts'
import { skillToolsSection } from './skill-tools-section.ts'
import { toolItem } from './tool-item.ts'

/** The tools that can be called now, each in one place. */
export interface ToolSections {
  /** One for each active skill with a tool that can be called, in the order they were loaded. */
  readonly skillTools: readonly PromptSection[]
  /** Those of components and global ones; null when there is none. */
  readonly available: PromptSection | null
}

/** Lists the available tools of a table by who brought them. */
export function toolSections(
  catalog: Catalog,
  tools: readonly ToolRow[],
  told: { readonly schemasInRequest: SchemasInRequest; readonly tier: PromptTier },
  reuse: ReuseSection,
): ToolSections {
  const listOf = sectionLister(told, reuse)
  const callable = tools.filter(({ status }) => status === 'available')
  const ofSkills = callable.filter(({ owner }) => owner.source === 'skill')
  const others = callable.filter(({ owner }) => owner.source !== 'skill')
  const bySkill = [...Map.groupBy(ofSkills, ({ owner }) => owner)]
  return {
    skillTools: bySkill
      .sort(([a], [b]) => a.since - b.since)
      .map(([{ owner }, rows]) => {
        const displayName = catalog.skills.get(owner)?.displayName ?? owner
        return listOf(`skill-tools/${owner}`, displayName, rows, (items) =>
          skillToolsSection(owner, displayName, items),
        )
      }),
    available: others.length === 0 ? null : listOf('available-tools', '', others, availableSection),
  }
}

/** Makes a section of rows, or takes the one there is while the same tools show in the same way. */
function sectionLister(
  { schemasInRequest, tier }: Parameters<typeof toolSections>[2],
  reuse: ReuseSection,
) {
  return (
    id: string,
    heading: string,
    rows: readonly ToolRow[],
    make: (items: readonly PromptItem[]) => PromptSection,
  ): PromptSection => {
    const shown = rows.map(({ name, asks, owner }) => [name, asks, owner.source, owner.owner])
    const definitions = rows.flatMap(({ tool }) => tool ?? [])
    return reuse(id, definitions, JSON.stringify([heading, schemasInRequest, tier, shown]), () =>
      make(rows.map((row) => toolItem(row, schemasInRequest, tier))),
    )
  }
}

function availableSection(items: readonly PromptItem[]): PromptSection {
  return newSection({
    kind: 'available-tools',
    id: 'available-tools',
    title: SECTION_TITLE.availableTools,
    source: 'loadout',
    owner: 'loadout',
    stability: 'step',
    blocks: [{ kind: 'items', items }],
  })
}
