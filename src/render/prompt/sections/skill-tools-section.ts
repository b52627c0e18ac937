import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { newSection } from '../document/new-section.ts'
import type { PromptItem, PromptSection } from '../document/prompt-document.ts'
import { SECTION_PREFIX } from '../document/section-title.ts'

/** The SKILL TOOLS section of one active skill. */
export function skillToolsSection(
  skill: string,
  displayName: string,
  items: readonly PromptItem[],
): PromptSection {
  return newSection({
    kind: 'skill-tools',
    id: `skill-tools/${skill}`,
    title: `${SECTION_PREFIX.skillTools} ${sanitiseLine(displayName) || sanitiseLine(skill)}`,
    source: 'skill',
    owner: skill,
    stability: 'step',
    blocks: [{ kind: 'items', items }],
  })
}
