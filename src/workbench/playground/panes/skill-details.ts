import type {
  Catalog,
  Diagnostic,
  Skill,
  TokenCounter,
  Tool,
  WorkspaceReader,
} from '../../../entries/index.ts'
import { filePlace, placeText } from '../../../entries/kit.ts'
import { formatCount, knownSkillTokens, skillTextTokens } from '../../../entries/plan.ts'
import type { SkillRow } from './skill-rows.ts'
import { reasonLines, textLines } from '../text/text-lines.ts'

/** The details of a skill, starting with its status and the reason. */
export function skillDetails(
  row: SkillRow,
  reader: WorkspaceReader,
  counter: TokenCounter,
  scope = '',
): readonly string[] {
  const { name, skill, status, lifetime, change } = row
  const head = [
    `Status: ${status}${lifetime === '' ? '' : `, ${lifetime}`}`,
    ...(change === '' ? [] : [`On disk: ${change}`]),
    ...skillReasons(row, reader),
  ]
  if (skill === undefined) return head
  const { skills, skillTools } = reader.catalog
  const tools = skillTools.get(name) ?? []
  const dependents = [...skills.values()].filter(({ requires }) => requires.includes(name))
  return [
    ...head,
    '',
    ...textLines(skill.description),
    ...fact('Name', skill.displayName === name ? '' : skill.displayName),
    ...fact('Version', skill.version),
    ...fact('Tokens', skillPriceText(skill, reader.catalog, counter)),
    ...fact('Read from', skill.path ?? ''),
    ...fact('Scope', scope),
    ...list('Requires', requirementLines(name, reader)),
    ...list(
      'Required by',
      dependents.map((one) => `${one.name} (${reader.explainSkill(one.name).status})`),
    ),
    ...fact('Conflicts with', skill.conflicts.join(', ')),
    ...fact('Extends', skill.extends.join(', ')),
    ...fact('Tags', skill.tags.join(', ')),
    ...fact('Aliases', skill.aliases.join(', ')),
    ...fact('Activated by', activators(skill)),
    ...fact('Permissions', skill.permissions.join(', ')),
    ...list(
      'Tools',
      tools.map(({ tool }) => `${tool.name}${obstacleMark(tool, name, reader)}: ${tool.summary}`),
    ),
    ...list(
      'Files',
      skill.files.map(({ path, size }) => `${path} (${formatCount(size)} bytes)`),
    ),
    ...list('Findings', skill.diagnostics.map(finding)),
    '',
    'Instructions',
    ...textLines(skill.instructions === '' ? 'none' : skill.instructions),
  ]
}

/** The reasons for the status of a row, which may have the name of another skill. */
export function skillReasons(
  { name, status, unread }: SkillRow,
  reader: WorkspaceReader,
): readonly string[] {
  const used = reader.catalog.skills.get(name)
  const isOther = status === 'shadowed' || (unread !== undefined && used !== undefined)
  if (!isOther) return reasonLines(reader.explainSkill(name))
  return [
    ...textLines(`Another skill with this name is used${used?.path ? `: ${used.path}` : '.'}`),
    ...list('Findings', unread?.errors.map(finding) ?? []),
  ]
}

/** Lists what a skill requires, and what that requires, indented; each with a mark while it is active. */
function requirementLines(
  name: string,
  reader: WorkspaceReader,
  above: readonly string[] = [name],
): readonly string[] {
  const required = reader.catalog.skills.get(name)?.requires ?? []
  return required.flatMap((one) => {
    const status = reader.explainSkill(one).status
    const line = `${'  '.repeat(above.length - 1)}${one} (${status})`
    // Skills that require each other are reported by lint.
    return above.includes(one) ? [line] : [line, ...requirementLines(one, reader, [...above, one])]
  })
}

/** Writes the tokens that a skill adds to a request: `1,232 (text 406, tools 826)`. */
function skillPriceText(skill: Skill, catalog: Catalog, counter: TokenCounter): string {
  const all = knownSkillTokens(skill, catalog, counter)
  if (all === null) return '?'
  const text = skillTextTokens(skill, counter)
  return `${formatCount(all)} (text ${formatCount(text)}, tools ${formatCount(all - text)})`
}

/** Returns who may activate a skill, when its author does not leave that to everybody. */
function activators({ disableModelInvocation, userInvocable }: Skill): string {
  if (disableModelInvocation !== true && userInvocable !== false) return ''
  const parts = [
    ...(disableModelInvocation === true ? [] : ['models']),
    ...(userInvocable === false ? [] : ['people']),
    'the host',
  ]
  return parts.join(' and ')
}

/** Returns the status of a tool of an active skill that cannot be called now, as a mark. */
function obstacleMark({ hash }: Tool, skill: string, reader: WorkspaceReader): string {
  const listed = reader
    .tools()
    .find((one) => one.source === 'skill' && one.owner === skill && one.tool?.hash === hash)
  const isPlain = listed?.status === 'available' || listed?.status === 'skill-inactive'
  return listed === undefined || isPlain ? '' : ` (${listed.status})`
}

function fact(label: string, value: string): string[] {
  return value === '' ? [] : textLines(`${label}: ${value}`)
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.flatMap((one) => textLines(`  ${one}`))]
}

function finding({ severity, message, hint, ...at }: Diagnostic): string {
  const place = filePlace(at)
  return `${severity}: ${message} ${hint}${place === undefined ? '' : ` (${placeText(place)})`}`
}
