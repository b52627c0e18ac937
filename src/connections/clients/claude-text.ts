import { type Header, parseHeader } from './parse-header.ts'

/** The most characters of a name, and of the first line of a body that is shown as a description. */
const MOST = { name: 256, firstLine: 100 } as const

export type ReadHeader = Extract<Header, { fields: unknown }>
export type HeaderFault = Extract<Header, { fault: unknown }>

const YAML = { unique: new Set<string>(), merges: true } as const

const NO_HEADER: ReadHeader = { fields: {}, sources: new Map(), lines: new Map() }

/** The first `---` anywhere behind the first line ends the front matter. */
export function splitClaudeFile(text: string): {
  header: ReadHeader
  body: string
  fault: HeaderFault | null
} {
  const plain = text.replace(/^\uFEFF/, '')
  const found = findHeader(plain)
  if (found === null) return { header: NO_HEADER, body: plain, fault: null }
  const { yaml, firstLine, body } = found
  const read = parseHeader(yaml, firstLine, YAML)
  if ('fields' in read) return { header: read, body, fault: null }
  const again = parseHeader(quoted(yaml), firstLine, YAML)
  return 'fields' in again
    ? { header: again, body, fault: null }
    : { header: NO_HEADER, body, fault: read }
}

/** Returns the text between `---`, blank lines, and the next `---`, wherever that is, and what follows; null without one. */
function findHeader(text: string) {
  if (!text.startsWith('---')) return null
  const rest = text.slice(3)
  const blank = rest.slice(0, rest.length - rest.trimStart().length)
  const start = 3 + blank.lastIndexOf('\n') + 1
  const end = text.indexOf('---', start)
  if (!blank.includes('\n') || end < 0) return null
  const after = text.slice(end + 3)
  const spaces = after.slice(0, after.length - after.trimStart().length)
  return {
    yaml: text.slice(start, end),
    firstLine: text.slice(0, start).split('\n').length,
    body: after.slice(spaces.lastIndexOf('\n') + 1 || spaces.length),
  }
}

function isQuoted(value: string): boolean {
  const first = value[0]
  return value.length > 1 && (first === '"' || first === "'") && value.endsWith(first)
}

/** Quotes plain values that have signs of YAML in them, as the client does before it tries again. */
function quoted(yaml: string): string {
  const lines = yaml.split('\n').map((line) => {
    const [, key, value = ''] = /^([a-zA-Z_-]+):\s+(\S.*)$/.exec(line) ?? []
    if (key === undefined || isQuoted(value)) return line
    if (/^\[.*\]$/.test(value) && 'fields' in parseHeader(`a: ${value}`, 1)) return line
    if (!/[{}[\]*&#!|>%@`]|: /.test(value)) return line
    return `${key}: "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  })
  return lines.join('\n').replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length))
}

export function claudeField(value: unknown, source: string | undefined): string | null {
  // With the tag of binary data, the text is not decoded.
  if (value instanceof Uint8Array) return source ?? null
  if (typeof value === 'string') return value.trim() || null
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}

export function firstBodyLine(body: string, none: string): string {
  const line = body
    .split('\n')
    .find((one) => one.trim() !== '')
    ?.trim()
  if (line === undefined) return none
  const text = /^#+\s+(\S.*)$/.exec(line)?.[1] ?? line
  return text.length > MOST.firstLine ? `${text.slice(0, MOST.firstLine - 3)}...` : text
}

/** Signs that are not shown, but for those in an emoji. */
const UNSEEN =
  /\p{RGI_Emoji}|[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\p{Default_Ignorable_Code_Point}\u2800]+/gv

/** Runs of signs that are not shown become a space, and angle brackets are escaped. */
export function claudeText(text: string): string {
  return text
    .replace(UNSEEN, (sign) => (/^\p{RGI_Emoji}$/v.test(sign) ? sign : ' '))
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Returns true for a name without angle brackets, double spaces, and signs that are not seen. */
export function isClaudeName(name: string): boolean {
  const isLong = name.length === 0 || name.length > MOST.name
  return !isLong && claudeText(name) === name && !/ {2}|^ | $|(?! )\p{Zs}/u.test(name)
}

/** Reasons of this client. */
export const CLAUDE_REASONS = {
  unshown: {
    code: 'name-with-signs',
    text: `its name has signs that the client does not show, or more than ${MOST.name} characters`,
  },
  undescribed: {
    code: 'no-description',
    text: 'it has no description, so the first line of the body is shown',
  },
  denied: (rule: string) => {
    const text = `permissions.deny in the settings has "${rule}", and without the tool Skill there is no list`
    return { code: 'skill-tool-denied', text } as const
  },
  overridden: (value: string) =>
    ({ code: 'skill-overrides', text: `skillOverrides in the settings says "${value}"` }) as const,
} as const
