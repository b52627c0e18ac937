import { foreignBody } from '../document/foreign-body.ts'
import { newSection } from '../document/new-section.ts'
import type { PromptSection } from '../document/prompt-document.ts'
import { SECTION_TITLE } from '../document/section-title.ts'

/** Rules that were told before, to be told once more after a summary; null when there are none. */
export function rulesSection(text: string): PromptSection | null {
  const { block } = foreignBody(text, [])
  if (block === undefined) return null
  return newSection({
    kind: 'rules',
    id: 'rules',
    title: SECTION_TITLE.rules,
    source: 'loadout',
    owner: 'loadout',
    stability: 'step',
    blocks: [block],
  })
}
