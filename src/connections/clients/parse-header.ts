import type { ListReason } from './client-profile.ts'
import { LineCounter, parseDocument, type ParsedNode, visit } from 'yaml'

/** Front matter as a client reads it, or why it cannot. */
export type Header =
  | {
      readonly fields: Readonly<Record<string, unknown>>
      /** The source of plain values, by field. */
      readonly sources: ReadonlyMap<string, string>
      /** The lines of the file that fields are on. */
      readonly lines: ReadonlyMap<string, number>
    }
  | { readonly fault: ListReason; readonly line?: number }

/** Differences of one client's parser of YAML from others. */
export interface YamlRules {
  /** True if `<<` takes over the fields of another map. */
  readonly merges?: true
  /** Fields that may not be repeated; all by default. The last of others counts. */
  readonly unique?: ReadonlySet<string>
  /** True if plain dates, times, and numbers with `_` or `0b` are not text, and `0o17` is. */
  readonly oldNumbers?: true
  /** True if an unknown tag is an error. */
  readonly knownTags?: true
  /** True if `!!null` is no value, whatever the text. */
  readonly nullTags?: true
  /** True if control characters are no error. */
  readonly takesControls?: true
}

const OLD_NUMBER = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^[-+]?(?:0b[01_]+|\d[\d_]*(?::[0-5]?\d)*)$/,
  resolve: Number,
}

const isOctal = (tag: string | { readonly format?: string }) =>
  typeof tag === 'object' && tag.format === 'OCT'

const NULL_TAG = { tag: 'tag:yaml.org,2002:null', resolve: () => null }

/**
 * Parses front matter as YAML.
 *
 * @param firstLine the line of the file on which the YAML starts
 */
export function parseHeader(yaml: string, firstLine: number, rules: YamlRules = {}): Header {
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml.replace(/\r\n?/g, '\n'), {
    lineCounter,
    merge: rules.merges === true,
    uniqueKeys: (a, b) => isRepeated(a, b, rules.unique),
    // With "silent", a second document would be no error.
    logLevel: 'error',
    customTags: (tags) => [
      ...(rules.oldNumbers === true
        ? [...tags.filter((one) => !isOctal(one)), 'timestamp' as const, OLD_NUMBER]
        : tags),
      ...(rules.nullTags === true ? [NULL_TAG] : []),
    ],
    prettyErrors: false,
  })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1
  const [error] = [...document.errors, ...(rules.knownTags === true ? document.warnings : [])]
  if (error !== undefined) {
    return { fault: invalidYaml(plainMessage(error.message)), line: lineAt(error.pos[0]) }
  }
  const control = rules.takesControls === true ? -1 : yaml.search(/(?![\t\n\r\x85])\p{Cc}/u)
  if (control >= 0) {
    const fault = { code: 'control-character', text: 'it has a control character' } as const
    return { fault, line: lineAt(control) }
  }
  let value: unknown
  try {
    value = document.toJS()
  } catch (error) {
    return { fault: invalidYaml(error instanceof Error ? error.message : String(error)) }
  }
  const lines = new Map<string, number>()
  const sources = new Map<string, string>()
  visit(document, {
    Pair(_, { key, value }, path) {
      if (path.length > 2) return visit.SKIP
      const name = scalarText(key)
      if (name === null) return visit.SKIP
      const range = (key as ParsedNode).range
      lines.set(name, lineAt(range[0]))
      const source = scalarText(value)
      if (source !== null) sources.set(name, source)
      return visit.SKIP
    },
  })
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { fields: isMap ? (value as Record<string, unknown>) : {}, sources, lines }
}

/** Returns the reason for front matter that is not YAML. */
export function invalidYaml(problem: string): ListReason {
  return { code: 'invalid-yaml', text: `invalid YAML: ${problem}` }
}

function isRepeated(a: unknown, b: unknown, unique: ReadonlySet<string> | undefined): boolean {
  const [one, other] = [scalarText(a), scalarText(b)]
  return one !== null && one === other && (unique?.has(one) ?? true)
}

/** Returns the source of a scalar without quotes; null for other nodes. */
function scalarText(node: unknown): string | null {
  if (typeof node !== 'object' || node === null || !('source' in node)) return null
  return typeof node.source === 'string' ? node.source : null
}

function plainMessage(message: string): string {
  const first = message.split('\n')[0] ?? ''
  return first.charAt(0).toLowerCase() + first.slice(1)
}
