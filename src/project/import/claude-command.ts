import { frontMatterFile } from '../export/front-matter-file.ts'
import { FieldReader } from '../../skills/parse/field-reader.ts'
import { Findings } from '../../skills/parse/findings.ts'
import { firstParagraph } from '../../skills/parse/first-paragraph.ts'
import { parseFrontMatter } from '../../skills/parse/parse-front-matter.ts'

/** A file of one of Claude's kinds as a file of ours. */
export interface ConvertedFile {
  readonly text: string
  readonly notes: readonly string[]
}

/** Characters, by the open specification. */
const MAX_DESCRIPTION = 1024

/**
 * A command of Claude Code (`commands/<name>.md`) as a skill: what it tells the model becomes its
 * instructions. What the command would have filled in before the model reads it stays as text, which
 * is noted. Returns why not when it cannot be read.
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
  const others = [...parsed.fields.keys()].filter(
    (key) => key !== 'description' && key !== 'allowed-tools' && key !== 'name',
  )
  const fields = {
    name,
    description: description === '' ? `What the command /${name} does.` : description,
    'allowed-tools': permissions.length === 0 ? undefined : permissions.join(' '),
    metadata: { 'loadout.phrases': `/${name}` },
  }
  const notes = [
    'It is a skill now: a model loads it when it is asked to.',
    ...(given === undefined ? ['It had no description; its first sentences are it.'] : []),
    ...(/\$(?:ARGUMENTS|\d)/.test(body)
      ? ['$ARGUMENTS and $1 are not filled in: say what the user gives.']
      : []),
    ...(/!`/.test(body) ? ['Commands in !`…` are not run: give the skill a tool for them.'] : []),
    ...(/(?:^|\s)@[\w./~-]/.test(body)
      ? ['Files named with @ are not put in: place them in references/.']
      : []),
    ...unread(others),
  ]
  return { text: frontMatterFile(fields, body), notes }
}

/** The note about fields that have no counterpart, if there are any. */
export function unread(fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? [] : [`No counterpart, left out: ${fields.join(', ')}.`]
}
