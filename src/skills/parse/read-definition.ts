import { isPortableName, isUsableName, usableName } from '../definition/definition-name.ts'
import type { FieldReader } from './field-reader.ts'
import { FILE_START, Findings } from './findings.ts'
import { type FrontMatter, parseFrontMatter, splitFrontMatter } from './parse-front-matter.ts'
import { jsonNode, parseJson } from './parse-json.ts'
import type { YamlEntry } from './parse-yaml.ts'

/** A definition's file and where it stands. */
export interface DefinitionFile {
  readonly text: string
  /** The path that findings name. */
  readonly file: string
  /** The name of the folder it is in, which should be the definition's name. */
  readonly folder: string
  /** The `schema.json` beside it, where older Carnet projects keep fields. */
  readonly beside?: { readonly text: string; readonly file: string }
}

/**
 * The fields and the body of a definition. Fields of a `schema.json` beside it stand in for those
 * its front matter does not give; then it needs no front matter at all.
 */
export function readDefinition(
  { text, beside }: DefinitionFile,
  findings: Findings,
): FrontMatter | null {
  if (beside === undefined) return parseFrontMatter(text, findings)
  const besides = readBeside(beside, findings)
  const split = splitFrontMatter(text)
  if (!split.ok && split.reason === 'missing' && besides.size > 0) {
    return { fields: besides, body: text.startsWith('\uFEFF') ? text.slice(1) : text }
  }
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return null
  const twice = [...besides].filter(([key]) => parsed.fields.has(key))
  for (const [key, { place }] of twice) {
    findings.add(
      'info',
      'field-twice',
      `The field "${key}" stands in the front matter, too, which counts.`,
      'Keep it in the front matter only.',
      place,
    )
  }
  return { fields: new Map([...besides, ...parsed.fields]), body: parsed.body }
}

function readBeside(
  { text, file }: NonNullable<DefinitionFile['beside']>,
  findings: Findings,
): ReadonlyMap<string, YamlEntry> {
  const inner = new Findings(file)
  const parsed = parseJson(text, inner)
  findings.include(inner.list)
  return new Map(
    Object.entries(parsed?.value ?? {})
      .filter(([key]) => key !== '$schema')
      .map(([key, value]) => {
        const place = { ...(parsed?.places.get(key) ?? FILE_START), file }
        return [key, { node: jsonNode(value, place), place }]
      }),
  )
}

/**
 * The name a skill or agent goes by: the one it gives, made usable, else its folder's. Undefined, and an
 * error among the findings, when neither can be used.
 */
export function readSkillName(
  reader: FieldReader,
  folder: string,
  findings: Findings,
  kind: 'skill' | 'Carnet skill' | 'agent' = 'skill',
): string | undefined {
  const given = reader.text('name')
  const place = reader.entry('name')?.node.place ?? FILE_START
  const name = usableName(given ?? folder) ?? usableName(folder)
  if (name === undefined) {
    findings.add(
      'error',
      'name-missing',
      `The ${kind} has no name, and its folder has none that could be used.`,
      'Add `name:` with lower-case letters, digits and hyphens.',
      place,
    )
    return undefined
  }
  if (given === undefined) {
    findings.add(
      'warning',
      'name-missing',
      `The ${kind} has no name; it goes by its folder's, "${name}".`,
      `Add \`name: ${name}\` to the front matter.`,
      place,
    )
    return name
  }
  if (!(kind === 'skill' ? isPortableName : isUsableName)(given)) {
    findings.add(
      'warning',
      'name-invalid',
      isUsableName(given)
        ? `The name "${given}" is not one that every program accepts.`
        : `The name "${given.slice(0, 100)}" cannot be used; the ${kind} goes by "${name}".`,
      'Use 1 to 64 lower-case letters, digits and single hyphens.',
      place,
    )
  }
  if (given.normalize('NFKC') !== folder.normalize('NFKC')) {
    findings.add(
      'warning',
      'name-mismatch',
      `The ${kind} is named "${given.slice(0, 100)}" but its folder is "${folder}".`,
      `Give the folder and the ${kind} the same name.`,
      place,
    )
  }
  return name
}

/** The first paragraph of prose in a Markdown text, on one line; empty when there is none. */
export function firstParagraph(markdown: string): string {
  const lines: string[] = []
  let fence = ''
  for (const raw of markdown.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const mark = line.slice(0, 3)
    if (fence !== '') {
      if (mark === fence) fence = ''
    } else if (mark === '```' || mark === '~~~') {
      fence = mark
    } else if (line === '' || line.startsWith('#')) {
      if (lines.length > 0) break
    } else {
      lines.push(line)
    }
  }
  return lines.join(' ')
}

/** A body as it is kept: without empty lines before it and without space after it. */
export function withoutBlankEdges(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
}
