import type { DefinitionText } from './definition-text.ts'
import { FILE_START, Findings } from './findings.ts'
import { jsonNode } from './json-node.ts'
import { type FrontMatter, parseFrontMatter } from './parse-front-matter.ts'
import { parseJson } from './parse-json.ts'
import { splitFrontMatter } from './split-front-matter.ts'
import type { YamlEntry } from './yaml-node.ts'

/**
 * The fields and the body of a definition. Fields of a `schema.json` beside it stand in for those
 * its front matter does not give; then it needs no front matter at all.
 */
export function readDefinition(
  { text, beside }: DefinitionText,
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
  { text, file }: NonNullable<DefinitionText['beside']>,
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
