import type { WorkspaceState } from '../../../engine/model/state.ts'
import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import type { Tool } from '../../../tools/definition/tool.ts'
import { argumentFacts } from './argument-facts.ts'
import { newSection } from '../document/new-section.ts'
import type { PromptItem, PromptSection } from '../document/prompt-document.ts'
import type { PromptOptions } from '../document/prompt-input.ts'
import { SECTION_TITLE } from '../document/section-title.ts'
import type { ReuseSection } from '../document/reuse-section.ts'

/** What the list of found tools is made from. */
export interface FoundInput extends Pick<PromptOptions, 'schemasInRequest' | 'historyIsCut'> {
  readonly state: Pick<WorkspaceState, 'found' | 'toldSince' | 'summarisedAt'>
  /** The found tools that can be called, in the order of finding. */
  readonly tools: readonly Tool[]
  /** Names that are told elsewhere: tools of skills that are loaded. */
  readonly listed: ReadonlySet<string>
}

/**
 * The tools that searches found in turns before, or before a summary: those of this turn are on the
 * page of the search that found them. A section of its own, because it changes less often than the
 * rest of what is remembered.
 *
 * They are told by name while their definition is before the model, in the request or on that page.
 * Where the page may be gone (the history was summarised since, or the host cuts it), what no request
 * carries is told in full.
 */
export function foundSection(
  { state, tools, listed, schemasInRequest, historyIsCut }: FoundInput,
  reuse: ReuseSection,
): PromptSection | null {
  const { toldSince, summarisedAt } = state
  const since = new Map(state.found.map((one) => [one.name, one.since]))
  const isTold = ({ name }: Tool) => {
    const at = since.get(name)
    return at !== undefined && (toldSince < 0 || at < toldSince) && !listed.has(name)
  }
  const isWhole = ({ name }: Tool) =>
    schemasInRequest === false ||
    (schemasInRequest !== true && (historyIsCut || (since.get(name) ?? 0) < summarisedAt))
  const told = tools.filter(isTold)
  if (told.length === 0) return null
  const whole = told.filter(isWhole)
  const names = JSON.stringify(whole.map(({ name }) => name))
  return reuse('found-tools', told, names, () =>
    newSection({
      kind: 'found-tools',
      id: 'found-tools',
      title: SECTION_TITLE.foundTools,
      source: 'loadout',
      owner: 'loadout',
      stability: 'step',
      blocks: [
        { kind: 'prose', text: 'These were found before and need no further search:' },
        { kind: 'items', items: told.map((tool) => foundItem(tool, whole.includes(tool))) },
      ],
    }),
  )
}

function foundItem(tool: Tool, isWhole: boolean): PromptItem {
  return {
    name: sanitiseLine(tool.name),
    summary: isWhole ? sanitiseLine(tool.summary) : '',
    marks: [],
    facts: isWhole ? argumentFacts(tool.inputSchema) : [],
    tool,
  }
}
