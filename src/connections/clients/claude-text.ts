import { type Header, parseHeader } from './parse-header.ts'

/** The most characters of a name, and of the first line of a body that is shown as a description. */
const MOST = { name: 256, firstLine: 100 } as const

export type ReadHeader = Extract<Header, { fields: unknown }>
export type HeaderFault = Extract<Header, { fault: string }>

const YAML = { unique: new Set<string>(), merges: true } as const

const NO_HEADER: ReadHeader = { fields: {}, sources: new Map(), lines: new Map() }

/** The first `---` anywhere behind the first line ends the front matter. */
export function splitClaudeFile(text: string): {
  header: ReadHeader
  body: string
  fault: HeaderFault | null
} {
  const plain = text.replace(/^\uFEFF/, '')
  const [whole, yaml = ''] = /^---\s*\n([\s\S]*?)---\s*\n?/.exec(plain) ?? []
  if (whole === undefined) return { header: NO_HEADER, body: plain, fault: null }
  const body = plain.slice(whole.length)
  const firstLine = whole.slice(0, whole.indexOf(yaml)).split('\n').length
  const read = parseHeader(yaml, firstLine, YAML)
  if ('fields' in read) return { header: read, body, fault: null }
  const again = parseHeader(quoted(yaml), firstLine, YAML)
  return 'fields' in again
    ? { header: again, body, fault: null }
    : { header: NO_HEADER, body, fault: read }
}

/** Quotes plain values that have signs of YAML in them, as the client does before it tries again. */
function quoted(yaml: string): string {
  const lines = yaml.split('\n').map((line) => {
    const [, key, value = ''] = /^([a-zA-Z_-]+):\s+(\S.*)$/.exec(line) ?? []
    if (key === undefined || /^(["']).*\1$/s.test(value)) return line
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

export function firstLineOf(body: string, none: string): string {
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
