import {
  displayWidth,
  padToWidth,
  truncateToWidth,
  wrapLines,
} from '../../../kernel/display-width.ts'
import type { PromptBlock, PromptSection } from '../document/prompt-document.ts'
import { itemTail } from './write-markdown.ts'

/** Columns of a box by default. */
export const BOX_WIDTH = 80

/** Columns of the narrowest box; smaller widths count as this. */
export const NARROWEST_BOX = 24

/**
 * Writes a section in a box, for people: every line is exactly `width` columns wide. The tools of a
 * skill get a double-ruled box with a centred title, everything else a light one.
 */
export function writeBoxed(section: PromptSection, width: number = BOX_WIDTH): string {
  const outer = Math.max(width, NARROWEST_BOX)
  const inner = outer - 4
  const lines = sectionLines(section, inner)
  return section.kind === 'skill-tools'
    ? doubleBox(section.title, lines, inner)
    : lightBox(section.title, lines, inner)
}

function doubleBox(title: string, lines: readonly string[], inner: number): string {
  const rule = '═'.repeat(inner + 2)
  const heading = padToWidth(truncateToWidth(title, inner), inner, 'centre')
  return [
    `╔${rule}╗`,
    `║ ${heading} ║`,
    `╠${rule}╣`,
    ...lines.map((line) => `║ ${padToWidth(line, inner)} ║`),
    `╚${rule}╝\n`,
  ].join('\n')
}

function lightBox(title: string, lines: readonly string[], inner: number): string {
  const heading = truncateToWidth(title, inner - 1)
  return [
    `┌─ ${heading} ${'─'.repeat(inner - 1 - displayWidth(heading))}┐`,
    ...lines.map((line) => `│ ${padToWidth(line, inner)} │`),
    `└${'─'.repeat(inner + 2)}┘\n`,
  ].join('\n')
}

/** Blocks separated by empty lines; children below them, with their title and indented. */
function sectionLines({ blocks, children }: PromptSection, columns: number): string[] {
  const parts = [
    ...blocks.map((block) => blockLines(block, columns)),
    ...children.map((child) => [
      ...wrapLines(child.title, columns),
      ...sectionLines(child, columns - 2).map((line) => (line === '' ? '' : `  ${line}`)),
    ]),
  ]
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function blockLines(block: PromptBlock, columns: number): string[] {
  switch (block.kind) {
    case 'prose':
    case 'body':
      return wrapLines(block.text, columns)
    case 'facts':
      return block.facts.flatMap(({ label, value }) => wrapLines(`${label}: ${value}`, columns, 2))
    case 'items':
      return block.items.flatMap((item) => [
        ...wrapLines(item.name + itemTail(item), columns, 2),
        ...item.facts.flatMap(({ label, value }) => wrapLines(`  ${label}: ${value}`, columns, 2)),
      ])
  }
}
