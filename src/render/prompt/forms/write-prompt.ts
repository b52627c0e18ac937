import { type ContentHash, textHash } from '../../../kernel/content-hash.ts'
import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { identityMemo } from '../../../kernel/identity-memo.ts'
import type {
  Fact,
  Placement,
  PromptBlock,
  PromptDocument,
  PromptItem,
  PromptSection,
} from '../document/prompt-document.ts'
import { BOX_WIDTH, writeBoxed } from './write-boxed.ts'
import { writeMarkdown } from './write-markdown.ts'

/** `markdown` and `xml` for models, `text` in boxes for people. */
export type PromptFormat = 'markdown' | 'xml' | 'text'

interface WriteOptions {
  /** `markdown` by default. */
  readonly format?: PromptFormat
  /** Only this part; the whole is the instructions and then the conversation part. */
  readonly placement?: Placement
  /** Columns of a box, 80 by default. */
  readonly width?: number
}

const promptCache = identityMemo<string>()

/** The text of a document: the texts of its sections, one after the other. */
export function writePrompt(document: PromptDocument, options: WriteOptions = {}): string {
  const { format = 'markdown', placement, width = BOX_WIDTH } = options
  return promptCache([document], `${format} ${placement} ${width}`, () =>
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

const hashCache = identityMemo<ContentHash>()

/** The hash of a section's text, which tells whether the model has it as it is now. */
export function sectionHash(
  section: PromptSection,
  format: PromptFormat = 'markdown',
): ContentHash {
  return hashCache([section], format, () => textHash(writeSection(section, format)))
}

const xmlCache = identityMemo<string>()

/**
 * A section in XML, everything of others escaped. Ends with a line break, so sections are put
 * together by joining their texts; there is no element around them all.
 */
function writeXml(section: PromptSection): string {
  return xmlCache([section], '', () => {
    const { title, source, blocks, children } = section
    // A log may have names that a definition cannot have any more.
    const [id, owner] = [sanitiseLine(section.id), sanitiseLine(section.owner)]
    return [
      `<section${attributes({ id, title, source, owner })}>`,
      ...blocks.map(writeBlock),
      ...children.map((child) => writeXml(child).trimEnd()),
      '</section>\n',
    ].join('\n')
  })
}

function writeBlock(block: PromptBlock): string {
  switch (block.kind) {
    case 'prose':
      return `<note>${escapeXml(block.text)}</note>`
    case 'body':
      return `<body>${escapeXml(block.text)}</body>`
    case 'facts':
      return block.facts.map(writeFact).join('\n')
    case 'items':
      return ['<items>', ...block.items.map(writeItem), '</items>'].join('\n')
  }
}

function writeItem({ name, summary, marks, facts }: PromptItem): string {
  const remarks = marks.length === 0 ? {} : { marks: marks.join(', ') }
  return `<item${attributes({ name, ...remarks })}>${escapeXml(summary)}${facts.map(writeFact).join('')}</item>`
}

function writeFact({ label, value }: Fact): string {
  return `<fact${attributes({ label })}>${escapeXml(value)}</fact>`
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(value).replaceAll('"', '&quot;')}"`)
    .join('')
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
