import { textHash, type ContentHash } from '../../kernel/content-hash.ts'
import { identityMemo } from './identity-memo.ts'
import type { PromptSection } from './prompt-document.ts'
import { writeMarkdown } from './write-markdown.ts'

const kept = identityMemo<ContentHash>()

/** The hash of a section's Markdown, which tells whether the model has it as it is now. */
export function sectionHash(section: PromptSection): ContentHash {
  return kept([section], '', () => textHash(writeMarkdown(section)))
}
