import type { Catalog, Skill, TokenCounter, Tool, WorkspaceReader } from '../../../entries/index.ts'
import { formatCount, knownSkillTokens, skillTextTokens } from '../../../entries/plan.ts'
import { findingText } from '../../report/facts/finding-text.ts'
import type { SkillsReport } from '../../report/facts/skills-report.ts'
import { verdictReport } from '../../report/facts/verdict-report.ts'
import { cellText } from '../../report/report.ts'
import { reportLines } from '../../report/writers/print-report.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { NamedHistory } from '../context/shown-history.ts'
import { textLines } from '../text/text-lines.ts'
import type { SkillRow } from './skill-rows.ts'

/**
 * The details of a skill, starting with its status and the reason.
 *
 * @param history the requests so far, and its outcome in another agent
 */
export function skillDetails(
  row: SkillRow,
  report: SkillsReport,
  { observed, lines }: NamedHistory,
  context: Pick<PlaygroundContext, 'reader' | 'counter'>,
): readonly string[] {
  const { name, skill } = row
  const reader = context.reader()
  const read = report.read(row)
  const own = report.columns.filter(({ screenOnly }) => screenOnly === true)
  const head = [
    ...reportLines(
      observed === null
        ? report.about(row)
        : verdictReport({ ...reader.explainSkill(name), observed }),
    ),
    ...lines,
    ...own.flatMap(({ title, cell }) =>
      fact(title[0] + title.slice(1).toLowerCase(), cellText(cell(read), String)),
    ),
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
    ...fact('Tokens', skillPriceText(skill, reader.catalog, context.counter)),
    ...fact('Read from', skill.path ?? ''),
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
    ...list('Findings', skill.diagnostics.map(findingText)),
    '',
    'Instructions',
    ...textLines(skill.instructions === '' ? 'none' : skill.instructions),
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
