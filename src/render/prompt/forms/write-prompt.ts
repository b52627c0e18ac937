import { identityMemo } from '../document/identity-memo.ts'
import type { Placement, PromptDocument, PromptSection } from '../document/prompt-document.ts'
import { BOX_WIDTH, writeBoxed } from './write-boxed.ts'
import { writeMarkdown } from './write-markdown.ts'
import { writeXml } from './write-xml.ts'

/** `markdown` and `xml` for models, `text` in boxes for people. */
export type PromptFormat = 'markdown' | 'xml' | 'text'

export interface WriteOptions {
  /** `markdown` by default. */
  readonly format?: PromptFormat
  /** Only this part; the whole is the instructions and then the conversation part. */
  readonly placement?: Placement
  /** Columns of a box, 80 by default. */
  readonly width?: number
}

const kept = identityMemo<string>()

/** The text of a document: the texts of its sections, one after the other. */
export function writePrompt(document: PromptDocument, options: WriteOptions = {}): string {
  const { format = 'markdown', placement, width = BOX_WIDTH } = options
  return kept([document], `${format} ${placement} ${width}`, () =>
    document.sections
      .filter((section) => placement === undefined || section.placement === placement)
      .map((section) => writeSection(section, format, width))
      .join(''),
  )
}

/** The text of one section, as it stands in the whole. */
export function writeSection(
  section: PromptSection,
  format: PromptFormat = 'markdown',
  width: number = BOX_WIDTH,
): string {
  switch (format) {
    case 'markdown':
      return writeMarkdown(section)
    case 'xml':
      return writeXml(section)
    case 'text':
      return writeBoxed(section, width)
  }
}
