import { sanitiseLine } from '../../../kernel/sanitise-line.ts'
import { identityMemo } from '../document/identity-memo.ts'
import type { Fact, PromptBlock, PromptItem, PromptSection } from '../document/prompt-document.ts'

const kept = identityMemo<string>()

/**
 * A section in XML, everything of others escaped. Ends with a line break, so sections are put
 * together by joining their texts; there is no element around them all.
 */
export function writeXml(section: PromptSection): string {
  return kept([section], '', () => {
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
      return `<note>${escape(block.text)}</note>`
    case 'body':
      return `<body>${escape(block.text)}</body>`
    case 'facts':
      return block.facts.map(writeFact).join('\n')
    case 'items':
      return ['<items>', ...block.items.map(writeItem), '</items>'].join('\n')
  }
}

function writeItem({ name, summary, marks, facts }: PromptItem): string {
  const remarks = marks.length === 0 ? {} : { marks: marks.join(', ') }
  return `<item${attributes({ name, ...remarks })}>${escape(summary)}${facts.map(writeFact).join('')}</item>`
}

function writeFact({ label, value }: Fact): string {
  return `<fact${attributes({ label })}>${escape(value)}</fact>`
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(value).replaceAll('"', '&quot;')}"`)
    .join('')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
