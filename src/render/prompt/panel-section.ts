import { sanitiseLine } from '../../kernel/sanitise-line.ts'
import { foreignBody } from './foreign-body.ts'
import { newSection } from './new-section.ts'
import type { PromptSection } from './prompt-document.ts'
import type { ComponentPanel } from './prompt-input.ts'
import { SECTION_PREFIX } from './section-title.ts'

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
