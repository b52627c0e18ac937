import { newSection } from '../document/new-section.ts'
import type { PromptSection } from '../document/prompt-document.ts'
import { SECTION_TITLE } from '../document/section-title.ts'

/**
 * How to find tools, in place of a list of them; null when no search is offered. It is the same for
 * every session, so that it stays in what a provider has cached.
 */
export function discoverySection(metaTools: readonly string[]): PromptSection | null {
  if (!metaTools.includes('tool_search')) return null
  const key = metaTools.join(' ')
  const section = kept.get(key) ?? sectionFor(new Set(metaTools))
  kept.set(key, section)
  return section
}

/** By the meta-tools it tells of; there are as many as hosts choose to offer. */
const kept = new Map<string, PromptSection>()

function sectionFor(offered: ReadonlySet<string>): PromptSection {
  const sentences = [
    '`tool_search` finds the tools that are not here: say in a few words what is to be done, such as "find image".',
    'It answers with what to call, how, and the rules to keep.',
    offered.has('call_tool')
      ? 'Call what it found by `call_tool`, later on without searching again.'
      : 'What it found can be called by its name, later on without searching again.',
    offered.has('loadTool') && '`loadTool` tells all about one of them.',
    'Search again when something else is needed. What needs no tool is answered at once.',
  ]
  return newSection({
    kind: 'discovery',
    id: 'discovery',
    title: SECTION_TITLE.discovery,
    source: 'loadout',
    owner: 'loadout',
    stability: 'static',
    blocks: [{ kind: 'prose', text: sentences.filter((one) => one !== false).join(' ') }],
  })
}
