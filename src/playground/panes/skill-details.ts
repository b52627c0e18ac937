import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { formatCount } from '../../render/ink/parts/format-count.ts'
import { skillTokens } from '../../render/prompt/ledger/token-prices.ts'
import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'
import { textLines } from '../text/text-lines.ts'
import { reasonLines } from '../text/reason-lines.ts'
import type { SkillRow } from './skill-rows.ts'

/** Everything about a skill, for reading: why it stands as it does first. */
export function skillDetails(
  { name, skill, status, lifetime, change, errors }: SkillRow,
  reader: WorkspaceReader,
  counter: TokenCounter,
): readonly string[] {
  if (errors.length > 0) {
    return [
      `Status: ${status}`,
      'It could not be loaded.',
      ...list('Findings', errors.map(finding)),
    ]
  }
  const used = reader.catalog.skills.get(name)?.path
  const why =
    status === 'shadowed'
      ? textLines(`Another skill of this name is used${used === undefined ? '.' : `: ${used}`}`)
      : reasonLines(reader.explainSkill(name))
  const head = [
    `Status: ${status}${lifetime === '' ? '' : `, ${lifetime}`}`,
    ...(change === '' ? [] : [`On disk: ${change}`]),
    ...why,
  ]
  if (skill === undefined) return head
  const brought = reader.catalog.skillTools.get(name) ?? []
  return [
    ...head,
    '',
    ...textLines(skill.description),
    ...fact('Name', skill.displayName === name ? '' : skill.displayName),
    ...fact('Version', skill.version),
    ...fact('Tokens', formatCount(skillTokens(skill, counter))),
    ...fact('Read from', skill.path ?? ''),
    ...fact('Requires', skill.requires.join(', ')),
    ...fact('Conflicts with', skill.conflicts.join(', ')),
    ...fact('Extends', skill.extends.join(', ')),
    ...fact('Tags', skill.tags.join(', ')),
    ...fact('Also called', skill.aliases.join(', ')),
    ...fact('Asks for', skill.permissions.join(', ')),
    ...list(
      'Tools',
      brought.map(({ tool }) => `${tool.name}: ${tool.summary}`),
    ),
    ...list(
      'Files',
      skill.files.map(({ path, size }) => `${path} (${formatCount(size)} bytes)`),
    ),
    ...list('Findings', skill.diagnostics.map(finding)),
    '',
    'Instructions',
    ...textLines(skill.workDirection === '' ? 'none' : skill.workDirection),
  ]
}

function fact(label: string, value: string): string[] {
  return value === '' ? [] : textLines(`${label}: ${value}`)
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.flatMap((one) => textLines(`  ${one}`))]
}

function finding({ severity, message, hint, file, line }: Diagnostic): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`
  return `${severity}: ${message} ${hint}${place}`
}
