import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { isObject } from '../../../src/entries/kit.ts'
import type { CaseFolders } from '../case-folder.ts'
import type { Conversation } from './conversation.ts'
import type { ThreadFacts } from './facts.ts'

/** Characters of a text of others that are kept, and of any text. */
const MOST = { others: 160, any: 3000 } as const

/** Members with the definitions of tools, in which only the kind is kept. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'input_schema',
  'inputSchema',
  'parameters',
  'schema',
])

/** Lines of the clients that give a text its structure. */
const STRUCTURE =
  /^(?:<\/?[\w-]+(?: [\w-]+="[^"]*")*>|<name>.*<\/name>|#* ?Available skills|### [\w ]+|- `\w+` = `.*`|Base directory for this skill: .*|Relative paths in this skill .*|Launching skill: .*|Chunk ID: .*|Wall time: .*|Process exited with .*|Original token count: .*|Output:|# Skill: .*|- [\w:.@/-]+)$/

/**
 * Returns a function that leaves texts of others out of a value, by their length and hash, and the names of this machine.
 * Equal texts stay equal.
 */
export function scrubber(
  { case: { files = {} }, turns, tasks = {} }: Conversation,
  { project, home }: CaseFolders,
  installed: string,
): (value: unknown) => unknown {
  const own = JSON.stringify([files, turns, tasks])
  const isOwn = (line: string) =>
    own.includes(JSON.stringify(line).slice(1, -1)) ||
    /^(?:Use when asked for \d|item \d+ of many|\d+$)/.test(line)
  const places: readonly (readonly [string, string])[] = [
    [project, '/project'],
    [home, '/home/user'],
    [installed, '/clients'],
    [process.execPath, '/node'],
    [project.replace(/[^A-Za-z0-9]/g, '-'), '-project'],
    [hostname(), 'machine'],
  ]
  const described = (text: string) => (isOwn(text) || text.length < 40 ? text : marker(text))
  const describedLines = (text: string) => {
    const [first = '', ...others] = text.split('\n')
    const rest = others.join('\n')
    return [described(first), ...(others.length === 0 ? [] : [described(rest)])].join('\n')
  }
  const listed = (line: string) =>
    line.replace(LISTED, (_, name: string, text: string, file = '') => {
      return `- ${name}: ${described(text)}${file}`
    })
  const scrubText = (given: string): string => {
    const text = places
      .reduce((one, [place, name]) => one.replaceAll(place, name), given)
      .replaceAll(/\bLinux \d[\w.-]+/g, 'Linux')
    if (text.length > MOST.any && isOwn(text.slice(0, 20)))
      return `${text.slice(0, 100)}${marker(text)}`
    const lines = text.split('\n').map(listed)
    if (lines.join('\n').length <= MOST.others) return lines.join('\n')
    const kept: string[] = []
    let others: string[] = []
    const flush = () => {
      const one = others.join('\n')
      if (others.length > 0) kept.push(one.length < 40 ? one : marker(one))
      others = []
    }
    for (const line of lines) {
      const isKept = line === '' || isOwn(line) || STRUCTURE.test(line) || LISTED.test(line)
      if (!isKept) others.push(line)
      else {
        flush()
        kept.push(line)
      }
    }
    flush()
    const shown = kept.join('\n')
    return shown.length > MOST.any && !shown.includes('\n- ')
      ? `${shown.slice(0, 100)}${marker(shown)}`
      : shown
  }
  const scrub = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return scrubText(value)
    if (name === 'skills' && Array.isArray(value)) return value.map(scrubList)
    if (Array.isArray(value)) return value.map((one) => scrub(one))
    if (!isObject(value)) return value
    if (SCHEMAS.has(name) && JSON.stringify(value).length > 200 && !('name' in value))
      return { type: 'object' }
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scrub(one, key)]))
  }
  /** The descriptions of a list in the facts are those of its lines. */
  const scrubList = (list: unknown) =>
    isList(list)
      ? [list[0], list[1].map(([name, text]) => [name, text && describedLines(text)])]
      : scrub(list)
  return (value) => scrub(value)
}

/** A line of a list of skills. */
const LISTED = /^- ([\w:.@/-]+(?: \([^)]*\))?): (.*?)( \(file: [^)]*\))?$/

function isList(value: unknown): value is NonNullable<ThreadFacts['skills']>[number] {
  return Array.isArray(value) && typeof value[0] === 'number' && Array.isArray(value[1])
}

function marker(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `⟦${text.length} characters, sha256 ${hash}⟧`
}
