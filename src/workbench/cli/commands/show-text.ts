import { isObject, sanitiseLine, sanitiseText } from '../../../entries/kit.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'

/** Fields that are always printed as a separate text below the others. */
const TEXTS = new Set(['instructions', 'prompt', 'text', 'documentation', 'rules'])

/** Fields that are not printed. */
const LEFT_OUT = new Set(['diagnostics', 'filesReadable'])

/** Returns a definition as text: one field per line, then its long texts. All of it is sanitised. */
export function showText(
  { kind, name, tokens, fields }: ShownDefinition,
  context: Pick<CliContext, 'colour'>,
): string {
  const heading = paint(`${kind} ${sanitiseLine(name)}`, 'bold', context)
  const lines = [
    tokens === null
      ? `${heading} (the log has only its description)`
      : `${heading} (${tokens} tokens)`,
  ]
  const below: string[] = []
  for (const [field, value] of Object.entries(fields)) {
    if (LEFT_OUT.has(field) || (isEmpty(value) && !TRUE_IF_ABSENT.has(field))) continue
    const label = paint(field, 'dim', context)
    if (typeof value === 'string' && (TEXTS.has(field) || value.includes('\n'))) {
      below.push(`\n${label}\n\n${sanitiseText(value).trimEnd()}`)
    } else if (isPlain(value)) {
      const text = typeof value === 'object' ? value.join(', ') : String(value)
      lines.push(`  ${label}: ${sanitiseLine(text)}`)
    } else if (Array.isArray(value) && value.every(isObject)) {
      lines.push(`  ${label}:`, ...value.map((one) => `    ${recordText(one)}`))
    } else below.push(`\n${label}\n\n${jsonText(value).trimEnd()}`)
  }
  return `${[...lines, ...below].join('\n')}\n`
}

const TRUE_IF_ABSENT: ReadonlySet<string> = new Set(['userInvocable'])

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function isPlain(value: unknown): value is string | number | boolean | readonly string[] {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string')
  return typeof value !== 'object'
}

/** Returns the name or path of a record, then its other short fields. */
function recordText(record: Readonly<Record<string, unknown>>): string {
  const { name, path, hash: _hash, ...rest } = record
  const title = sanitiseLine(String(name ?? path ?? ''))
  const more = Object.entries(rest)
    .filter(([, value]) => isPlain(value) && !isEmpty(value))
    .map(([key, value]) => `${key} ${sanitiseLine(String(value))}`)
  return more.length === 0 ? title : `${title} (${more.join(', ')})`
}

/** The kinds of definitions that `show` prints. */
export const SHOWN_KINDS = ['skill', 'tool', 'toolset', 'agent', 'rules', 'component'] as const

export type ShownKind = (typeof SHOWN_KINDS)[number]

/** All fields of a definition; an element of `show --json`. */
export interface ShownDefinition {
  readonly kind: ShownKind
  readonly name: string
  /** Null when a log has only its description. */
  readonly tokens: number | null
  /** Its other fields. */
  readonly fields: Readonly<Record<string, unknown>>
}
