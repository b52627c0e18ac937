import { isPortableName, isUsableName, usableName } from '../definition/definition-name.ts'
import type { FieldReader } from './field-reader.ts'
import { FILE_START, Findings } from './findings.ts'
import { type FrontMatter, parseFrontMatter, splitFrontMatter } from './parse-front-matter.ts'
import { jsonNode, parseJson } from './parse-json.ts'
import type { YamlEntry } from './parse-yaml.ts'

/** The file of a definition. */
export interface DefinitionFile {
  readonly text: string
  /** The path that findings name. */
  readonly file: string
  /** The name of its folder, which should be the name of the definition. */
  readonly folder: string
  /** The `schema.json` next to it, in which older Carnet projects keep fields. */
  readonly sidecar?: { readonly text: string; readonly file: string }
}

/**
 * Reads the fields and the body of a definition. A sidecar supplies the fields that are not in the front
 * matter. With a sidecar, the front matter may be missing.
 */
export function readDefinition(
  { text, sidecar }: DefinitionFile,
  findings: Findings,
): FrontMatter | null {
  if (sidecar === undefined) return parseFrontMatter(text, findings)
  const sidecarFields = readSidecar(sidecar, findings)
  const split = splitFrontMatter(text)
  if (!split.ok && split.reason === 'missing' && sidecarFields.size > 0) {
    return { fields: sidecarFields, body: text.startsWith('\uFEFF') ? text.slice(1) : text }
  }
  const parsed = parseFrontMatter(text, findings)
  if (parsed === null) return null
  const twice = [...sidecarFields].filter(([key]) => parsed.fields.has(key))
  for (const [key, { place }] of twice) {
    findings.add(
      'info',
      'field-twice',
      `The field "${key}" is also in the front matter, which is used.`,
      'Keep it in the front matter only.',
      place,
    )
  }
  return { fields: new Map([...sidecarFields, ...parsed.fields]), body: parsed.body }
}

function readSidecar(
  { text, file }: NonNullable<DefinitionFile['sidecar']>,
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
 * Reads the name of a skill or agent, in a usable form, or else the name of its folder. Returns undefined
 * and reports an error if neither can be used.
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
      `The ${kind} has no name, and the name of its folder cannot be used.`,
      'Add `name:` with lower-case letters, digits and hyphens.',
      place,
    )
    return undefined
  }
  if (given === undefined) {
    findings.add(
      'warning',
      'name-missing',
      `The ${kind} has no name; the name of its folder is used, "${name}".`,
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
        ? `Not every program accepts the name "${given}".`
        : `The name "${given.slice(0, 100)}" cannot be used; the ${kind} is named "${name}".`,
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

/** Returns the first paragraph of prose in a Markdown text, on one line; empty if there is none. */
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

/** Removes empty lines before a text and white space after it. */
export function withoutBlankEdges(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
}
