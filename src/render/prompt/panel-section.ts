import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { foreignBody } from './document/foreign-body.ts'
import { newSection } from './document/new-section.ts'
import type { PromptSection } from './document/prompt-document.ts'
import type { ComponentPanel } from './document/prompt-input.ts'
import { SECTION_PREFIX } from './document/section-title.ts'

/** What a component shows of its state. Panels hold what tools wrote, so no variable is put in. */
export function panelSection({ key, displayName, panel }: ComponentPanel): PromptSection {
  const title = sanitiseLine(panel.title) || sanitiseLine(displayName) || sanitiseLine(key)
  const { block } = foreignBody(panel.lines.join('\n'), [])
  return newSection({
    kind: 'panel',
    id: `panel/${key}`,
    title: `${SECTION_PREFIX.panel} ${title}`,
    source: 'component',
    owner: key,
    stability: 'step',
    blocks: [block ?? { kind: 'prose', text: 'Empty.' }],
  })
}
