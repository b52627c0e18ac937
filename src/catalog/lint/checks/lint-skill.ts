import type { Skill } from '../../../skills/definition/skill.ts'
import { Findings, type Place } from '../../../skills/parse/findings.ts'
import { parseFrontMatter, splitFrontMatter } from '../../../skills/parse/parse-front-matter.ts'
import type { YamlEntry } from '../../../skills/parse/parse-yaml.ts'

/** A skill's folder on disk. */
export interface SkillFolder {
  /** The path of its SKILL.md. */
  readonly file: string
  /** The name of the folder. */
  readonly folder: string
  /** Null if it could not be read. */
  readonly text: string | null
  /** True if a plugin names it, so that its client finds it wherever it is. */
  readonly isOfPlugin: boolean
  /** Null if it was not loaded. */
  readonly skill: Skill | null
  /** Files and folders in the folder, relative to it, with `/`. */
  readonly paths: ReadonlySet<string>
  /**
   * Files of `scripts`, `references` and `assets` that the folders above have, such as that of a plugin, or the other
   * skills that it names.
   */
  readonly pathsAbove: ReadonlySet<string>
  /** Other Markdown and plain texts that a model may read, by path. */
  readonly texts: ReadonlyMap<string, string>
}

/** A skill's folder with its parsed SKILL.md. */
export interface LintSkill extends SkillFolder {
  /** Empty if the front matter cannot be read. */
  readonly fields: ReadonlyMap<string, YamlEntry>
  /** The Markdown below the front matter, with `\n` line breaks. */
  readonly body: string
  /** The line of the file that the body starts on. */
  readonly bodyLine: number
}

/** Parses a SKILL.md leniently, for rules that need the places of fields. */
export function lintSkill(folder: SkillFolder): LintSkill {
  const text = folder.text ?? ''
  const split = splitFrontMatter(text)
  const body = withPlainLines(split.ok ? split.body : '')
  const lines = withPlainLines(text).split('\n').length
  const fields = parseFrontMatter(text, new Findings(folder.file))?.fields ?? new Map()
  return { ...folder, fields, body, bodyLine: lines - body.split('\n').length + 1 }
}

/** Returns the place of a field's value; undefined if the field is absent. */
export function fieldPlace({ fields }: LintSkill, field: string): Place | undefined {
  return fields.get(field)?.node.place
}

/** Returns the trimmed text of a field; undefined if it is absent or not a text. */
export function fieldText({ fields }: LintSkill, field: string): string | undefined {
  const node = fields.get(field)?.node
  return node?.kind === 'scalar' ? node.text.trim() : undefined
}

function withPlainLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n')
}
