import { textHash, type ContentHash } from '../../../kernel/content-hash.ts'
import { identityMemo } from '../document/identity-memo.ts'
import type { PromptSection } from '../document/prompt-document.ts'
import { writeSection, type PromptFormat } from './write-prompt.ts'

const kept = identityMemo<ContentHash>()

/** The hash of a section's text, which tells whether the model has it as it is now. */
export function sectionHash(
  section: PromptSection,
  format: PromptFormat = 'markdown',
): ContentHash {
  return kept([section], format, () => textHash(writeSection(section, format)))
}
