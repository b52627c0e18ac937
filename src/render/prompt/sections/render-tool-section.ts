import { sanitiseLine } from '../../../kernel/sanitise-text.ts'
import { newSection } from '../document/new-section.ts'
import { distinctDisplayName } from './skill-section.ts'
import type { PromptItem } from '../document/prompt-document.ts'
import { skillToolsSection } from './tool-sections.ts'
import { writeSection, type PromptFormat } from '../forms/write-prompt.ts'

export interface RenderOptions {
  /** `text` (boxes) by default. */
  readonly format?: PromptFormat
  /** Columns of a box, 80 by default. */
  readonly width?: number
}

/** A tool as these sections show it. */
export interface ToolLine {
  readonly name: string
  readonly summary: string
}

/** A skill as these sections show it. */
export interface SkillLine {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly active: boolean
}

/** Writes the `SKILL TOOLS: <displayName>` section of one skill; null when it has no tools. */
export function renderSkillToolsSection(
  displayName: string,
  tools: readonly ToolLine[],
  options: RenderOptions = {},
): string | null {
  if (tools.length === 0) return null
  const section = skillToolsSection(displayName, displayName, tools.map(toolLineItem))
  return writeSection(section, options.format ?? 'text', options.width)
}

/** Writes a section that lists tools, whatever their source. */
export function renderToolSection(tools: readonly ToolLine[], options: RenderOptions = {}): string {
  return renderItems(
    'available-tools',
    'Available tools',
    'No tools.',
    tools.map(toolLineItem),
    options,
  )
}

/** Writes a section that lists skills and marks the active ones. */
export function renderSkillsSection(
  skills: readonly SkillLine[],
  options: RenderOptions = {},
): string {
  const items = skills.map(({ name, displayName, description, active }) => {
    const id = sanitiseLine(name)
    const called = distinctDisplayName(name, displayName)
    const marks = [...(called === '' ? [] : [called]), ...(active ? ['active'] : [])]
    return { name: id, summary: sanitiseLine(description), marks, facts: [] }
  })
  return renderItems('skill-catalog', 'Skills', 'No skills.', items, options)
}

function toolLineItem({ name, summary }: ToolLine): PromptItem {
  return { name: sanitiseLine(name), summary: sanitiseLine(summary), marks: [], facts: [] }
}

function renderItems(
  kind: 'available-tools' | 'skill-catalog',
  title: string,
  none: string,
  items: readonly PromptItem[],
  { format = 'text', width }: RenderOptions,
): string {
  const section = newSection({
    kind,
    id: kind,
    title,
    source: 'loadout',
    owner: 'loadout',
    stability: 'step',
    blocks: [items.length === 0 ? { kind: 'prose', text: none } : { kind: 'items', items }],
  })
  return writeSection(section, format, width)
}
