import type { Catalog } from '../../catalog/catalog.ts'
import type { ToolRow } from '../../engine/tool-row.ts'
import { identityMemo } from './identity-memo.ts'
import { newSection } from './new-section.ts'
import type { PromptSection } from './prompt-document.ts'
import { SECTION_TITLE } from './section-title.ts'
import { skillToolsSection } from './skill-tools-section.ts'
import { toolItem } from './tool-item.ts'

/** The tools that can be called now, each in one place. */
export interface ToolSections {
  /** One for each active skill with a tool that can be called, in the order they were loaded. */
  readonly skillTools: readonly PromptSection[]
  /** Those of components and global ones; null when there is none. */
  readonly available: PromptSection | null
}

const kept = identityMemo<ToolSections>()

/** Lists the available tools of a table by who brought them. */
export function toolSections(
  catalog: Catalog,
  tools: readonly ToolRow[],
  schemasInRequest: boolean,
): ToolSections {
  return kept([tools, catalog], schemasInRequest ? 'summary' : 'arguments', () => {
    const callable = tools.filter(({ status }) => status === 'available')
    const bySkill = Map.groupBy(
      callable.filter(({ owner }) => owner.source === 'skill'),
      ({ owner }) => owner,
    )
    const skillTools = [...bySkill]
      .sort(([a], [b]) => a.since - b.since)
      .map(([{ owner }, rows]) =>
        skillToolsSection(
          owner,
          catalog.skills.get(owner)?.displayName ?? owner,
          rows.map((row) => toolItem(row, schemasInRequest)),
        ),
      )
    const others = callable
      .filter(({ owner }) => owner.source !== 'skill')
      .map((row) => toolItem(row, schemasInRequest))
    const available =
      others.length === 0
        ? null
        : newSection({
            kind: 'available-tools',
            id: 'available-tools',
            title: SECTION_TITLE.availableTools,
            source: 'loadout',
            owner: 'loadout',
            stability: 'step',
            blocks: [{ kind: 'items', items: others }],
          })
    return { skillTools, available }
  })
}
