import { Findings, usableName } from '../../../entries/kit.ts'
import { FieldReader, firstParagraph, parseFrontMatter } from '../../../entries/definitions.ts'
import { frontMatterText } from '../export/skill-file-text.ts'

/** A file of Claude Code, converted to a file of Loadout. */
export interface ConvertedFile {
  readonly text: string
  readonly notes: readonly string[]
}

/** Maximum number of characters in the open specification. */
const MAX_DESCRIPTION = 1024

/**
 * Converts a command of Claude Code (`commands/<name>.md`) to a skill: its text becomes the
 * instructions. Commands and files that it would insert stay as text, which is noted. Returns the reason when it
 * cannot be read.
 */
export function claudeCommand(text: string, name: string, file: string): ConvertedFile | string {
  const findings = new Findings(file)
  const parsed = text.startsWith('---')
    ? parseFrontMatter(text, findings)
    : { fields: new Map(), body: text }
  if (parsed === null) return findings.list[0]?.message ?? 'It could not be read.'
  const reader = new FieldReader(parsed.fields, findings)
  const body = parsed.body.trim()
  const given = reader.text('description')
  const description = (given ?? firstParagraph(body)).slice(0, MAX_DESCRIPTION).trim()
  const permissions = reader.permissions('allowed-tools')
  const disallowed = reader.disallowedTools()
  const names = reader.words('arguments')
  const others = [...parsed.fields.keys()].filter((key) => !COMMAND_FIELDS.has(key))
  const leftToPeople = reader.flag('disable-model-invocation') === true
  const fields = {
    name,
    description: description === '' ? `What the command /${name} does.` : description,
    'allowed-tools': permissions.length === 0 ? undefined : permissions.join(' '),
    'disallowed-tools': disallowed?.join(' '),
    arguments: names.length === 0 ? undefined : names.join(' '),
    'disable-model-invocation': leftToPeople ? true : undefined,
    metadata: { 'loadout.phrases': `/${name}` },
  }
  const notes = [
    leftToPeople
      ? 'It is a skill now, and only a person or the host activates it.'
      : 'It is a skill now: a model activates it when asked to.',
    ...(given === undefined ? ['It had no description; its first sentences are used.'] : []),
    ...(/!`/.test(body) ? ['Commands in !`…` are not run: add a tool for them.'] : []),
    ...(/(?:^|\s)@(?:[\w.~-]*\/|[\w-]+\.\w+(?![\w.(]))/u.test(body)
      ? ['Files named with @ are not inserted: put them in references/.']
      : []),
    ...unsupportedFields(others),
  ]
  return { text: frontMatterText(fields, body), notes }
}

const COMMAND_FIELDS: ReadonlySet<string> = new Set(
  'name description arguments allowed-tools disallowed-tools disallowedTools disable-model-invocation'.split(
    ' ',
  ),
)

/** Returns a note about fields without a counterpart, if there are any. */
function unsupportedFields(fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? [] : [`No counterpart, left out: ${fields.join(', ')}.`]
}

/**
 * Converts a subagent of Claude Code (`agents/<name>.md`) to an `AGENT.md`. Its `tools` are those
 * of Claude Code, so they restrict nothing here, which is noted. Returns the reason when it cannot
 * be read.
 */
export function claudeAgent(text: string, name: string, file: string): ConvertedFile | string {
  const findings = new Findings(file)
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return findings.list[0]?.message ?? 'It could not be read.'
  const reader = new FieldReader(parsed.fields, findings)
  const tools = reader.permissions('tools')
  const disallowed = reader.disallowedTools()
  const skills = reader.words('skills').map((skill) => usableName(skill) ?? skill)
  const read = new Set('name description tools disallowedTools disallowed-tools skills'.split(' '))
  const others = [...parsed.fields.keys()].filter((key) => !read.has(key))
  const fields = {
    name,
    description: reader.text('description'),
    initialSkills: skills.length === 0 ? undefined : skills,
    disallowedTools: disallowed?.join(', '),
  }
  const notes = [
    'No model delegates to it: open a session, or a child session, as this agent.',
    ...(tools.length === 0
      ? []
      : [
          `It was limited by tools of Claude Code (${tools.join(', ')}) and is not limited here: list its tools in metadata, as loadout.tools.`,
        ]),
    ...unsupportedFields(others),
  ]
  return { text: frontMatterText(fields, parsed.body.trim()), notes }
}
