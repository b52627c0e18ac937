import type { ContentHash } from '../../../kernel/content-hash.ts'
import { sanitiseText } from '../../../kernel/sanitise-text.ts'
import type { PromptDocument } from './prompt-document.ts'

/** A text that an agent showed its model. */
interface ShownSection {
  readonly id: string
  readonly title?: string
  readonly hash: ContentHash
}

/**
 * Returns the prompt of an agent that is not built on Loadout: the texts that it showed its model, in its order. The first
 * is its instructions, and the others are in the conversation.
 */
export function observedDocument(
  shown: readonly ShownSection[],
  textOf: (hash: ContentHash) => string | undefined,
): PromptDocument {
  const sections = shown.map(({ id, title = id, hash }) => ({
    kind: 'agent-prompt' as const,
    id,
    title,
    source: 'agent' as const,
    owner: 'agent',
    stability: 'step' as const,
    placement: id.startsWith('system') ? ('instructions' as const) : ('conversation' as const),
    blocks: [{ kind: 'body' as const, text: sanitiseText(textOf(hash) ?? ''), plain: true }],
    children: [],
    notes: [],
    variables: [],
  }))
  return { sections, notes: [], variables: [] }
}
