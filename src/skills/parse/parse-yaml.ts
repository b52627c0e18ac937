import { LineCounter, parseDocument } from 'yaml'
import type { Place } from './findings.ts'
import type { YamlNode } from './yaml-node.ts'
import { MAX_DEPTH, YamlNodeReader } from './yaml-node-reader.ts'
import { tooComplex, type YamlProblem } from './yaml-problem.ts'

/** The value of a text, or everything wrong with it. */
export type YamlOutcome =
  | { readonly ok: true; readonly root: YamlNode | null }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] }

/**
 * Read YAML 1.2 with the core schema. Nothing in it can run: custom tags are refused, `<<` is an
 * ordinary key, and depth, references and values are bounded. `firstLine` is the line of the
 * file the text starts on.
 */
export function parseYaml(text: string, firstLine = 1): YamlOutcome {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    // Checked below: the library compares every key with every other one.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: lines,
  })
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: line + firstLine - 1, column: col }
  }
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) {
    // How far the library got depends on the stack, so its place would not be the same twice.
    const what = `values inside each other far more than ${MAX_DEPTH} levels deep`
    return { ok: false, problems: [tooComplex(what, { line: firstLine, column: 1 })] }
  }
  const broken = document.errors.map(({ message, pos }): YamlProblem => ({
    code: 'yaml-invalid',
    message: `Not valid YAML: ${message}.`,
    hint: 'Write one `key: value` a line, and put values with special characters in quotes.',
    place: place(pos[0]),
  }))
  if (broken.length > 0) return { ok: false, problems: broken.slice(0, 5) }
  const reader = new YamlNodeReader(document, place)
  const root = document.contents === null ? null : reader.read(document.contents, 0)
  return reader.problems.length > 0
    ? { ok: false, problems: reader.problems.slice(0, 5) }
    : { ok: true, root }
}
