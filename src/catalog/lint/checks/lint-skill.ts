import type { Skill } from '../../../skills/definition/skill.ts'
import { Findings, type Place } from '../../../skills/parse/findings.ts'
import { parseFrontMatter, splitFrontMatter } from '../../../skills/parse/parse-front-matter.ts'
import type { YamlEntry } from '../../../skills/parse/parse-yaml.ts'

/** A skill's folder as it stands on disk. */
export interface SkillFolder {
  /** The path of its SKILL.md. */
  readonly file: string
  /** Name of the folder. */
  readonly folder: string
  /** Null when it could not be read. */
  readonly text: string | null
  /** Null when it was not loaded. */
  readonly skill: Skill | null
  /** Files and folders in it, relative to it, with `/`. */
  readonly paths: ReadonlySet<string>
  /** Markdown and plain text beside SKILL.md, by path, that a model may read. */
  readonly texts: ReadonlyMap<string, string>
}

/** A skill's folder with its SKILL.md taken apart. */
export interface LintSkill extends SkillFolder {
  /** Empty when the front matter cannot be read. */
  readonly fields: ReadonlyMap<string, YamlEntry>
  /** The Markdown below the front matter, with `\n` ends of line. */
  readonly body: string
  /** The line of the file that the body starts on. */
  readonly bodyLine: number
}

/** Take a SKILL.md apart, leniently, for rules that say where something stands. */
export function lintSkill(folder: SkillFolder): LintSkill {
  const text = folder.text ?? ''
  const split = splitFrontMatter(text)
  const body = withPlainLines(split.ok ? split.body : '')
  const lines = withPlainLines(text).split('\n').length
  const fields = parseFrontMatter(text, new Findings(folder.file))?.fields ?? new Map()
  return { ...folder, fields, body, bodyLine: lines - body.split('\n').length + 1 }
}

/** Where a field's value stands; undefined when the field is not there. */
export function fieldPlace({ fields }: LintSkill, field: string): Place | undefined {
  return fields.get(field)?.node.place
}

/** The text of a field, trimmed; undefined when it is not there or no text. */
export function fieldText({ fields }: LintSkill, field: string): string | undefined {
  const node = fields.get(field)?.node
  return node?.kind === 'scalar' ? node.text.trim() : undefined
}

function withPlainLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}
