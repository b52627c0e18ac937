import { type ContentHash, textHash } from '../../../kernel/content-hash.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import type {
  PromptDocument,
  PromptSection,
} from '../../../render/prompt/document/prompt-document.ts'
import { type PromptFormat, writeSection } from '../../../render/prompt/forms/write-prompt.ts'

/** One part of the workspace's current text in the conversation. */
export interface ConversationPart {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly hash: ContentHash
  /** The skill, if the part is a skill's instructions. */
  readonly skill?: string
}

const memoised = identityMemo<readonly ConversationPart[]>()

/**
 * Splits the conversation part of a document into the parts that change independently. Each section
 * is one part, except that each active skill is a part of its own, so that activating a second one
 * does not repeat the first.
 */
export function conversationParts(
  { sections }: PromptDocument,
  format: PromptFormat,
): readonly ConversationPart[] {
  return sections
    .filter(({ placement }) => placement === 'conversation')
    .flatMap((section) => memoised([section], format, () => partsOf(section, format)))
}

function partsOf(section: PromptSection, format: PromptFormat): readonly ConversationPart[] {
  const partOf = (id: string, title: string, piece: PromptSection): ConversationPart => {
    const text = writeSection(piece, format)
    return { id, title, text, hash: textHash(text) }
  }
  if (section.kind !== 'active-skills') return [partOf(section.id, section.title, section)]
  const listed = section.blocks.findIndex(({ kind }) => kind === 'items')
  const head = { ...section, blocks: section.blocks.slice(0, listed + 1), children: [] }
  return [
    ...(listed < 0 ? [] : [partOf(section.id, section.title, head)]),
    ...section.children.map((child) => {
      const title = `Loaded skill: ${child.title}`
      return { ...partOf(child.id, title, { ...child, title }), skill: child.owner }
    }),
  ]
}
