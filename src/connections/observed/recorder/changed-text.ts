import type { RequestPart } from '../../../entries/adapter.ts'
import type { Tool } from '../../../entries/index.ts'
import type { RequestChange } from '../../../entries/plan.ts'

type ChangedText = NonNullable<RequestChange['text']>

/** The most characters of a line that are kept. */
const MOST_CHARACTERS = 120

/** The most lines above a change in which the name of a file is looked for. */
const MOST_LINES = 2_000

/** Finds the first line in which two parts of a request differ. */
export function changedText(
  old: RequestPart | undefined,
  fresh: RequestPart | undefined,
): ChangedText {
  const before = old?.text?.()
  const now = fresh?.text?.()
  if (before === undefined || now === undefined) {
    return { before: firstLine(before), now: firstLine(now), line: 1 }
  }
  let at = 0
  while (at < before.length && before[at] === now[at]) at += 1
  const start = before.lastIndexOf('\n', at - 1) + 1
  const above = before.slice(0, start).split('\n')
  const within = nameAbove(above.slice(-MOST_LINES))
  return {
    before: excerpt(lineAt(before, start), at - start),
    now: excerpt(lineAt(now, start), at - start),
    line: above.length,
    ...(within !== null && { within }),
  }
}

/** The beginning of a line that names a member of a definition. */
const MEMBER = '\u0002'

/** Writes the definition of a tool so that each line says what it is: the description, then one line for each value. */
export function toolAsLines({ description, inputSchema }: Tool): string {
  const parts = [`${MEMBER}description`, description, `${MEMBER}parameters`]
  return [...parts, ...valueLines('', inputSchema)].join('\n')
}

function valueLines(path: string, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)}`]
  const entries = Object.entries(value)
  if (entries.length === 0) return [`${path}: ${JSON.stringify(value)}`]
  return entries.flatMap(([name, one]) => valueLines(path === '' ? name : `${path}.${name}`, one))
}

/** The lines with which agents begin the texts of files in their instructions. */
const FILE =
  /^(?:Contents of|Instructions from:|--- Context from:|<project_instructions path=")\s*"?(?<file>[^\s"<>()][^"<>()]{0,300}?)"?(?: \(.{0,200}\):?|>| ---|:)?$/u

/** The same where the line has the folder. */
const IN_FOLDER = /^# (?<name>AGENTS\.md|CLAUDE\.md) instructions for (?<folder>.{1,300})$/u

/** A line that ends the texts of files. */
const END = /^(?:# (?:currentDate|gitStatus|env)\b|<\/|--- End of Context)/u

/** Returns the file, or the member of a definition, that the line after these is in. */
function nameAbove(above: readonly string[]): string | null {
  for (const line of above.toReversed()) {
    if (END.test(line)) return null
    if (line.startsWith(MEMBER)) return line.slice(MEMBER.length)
    const file = fileNamedIn(line)
    if (file !== null) return file
  }
  return null
}

function fileNamedIn(line: string): string | null {
  const { file } = FILE.exec(line)?.groups ?? {}
  if (file !== undefined) return file
  const { name, folder } = IN_FOLDER.exec(line)?.groups ?? {}
  return name !== undefined && folder !== undefined ? `${folder}/${name}` : null
}

/** Returns the texts of files in a text of an agent, by their names, and the rest of it under null. */
export function filesInText(text: string): ReadonlyMap<string | null, string> {
  const parts = new Map<string | null, string>()
  let file: string | null = null
  for (const line of text.split('\n')) {
    file = END.test(line) ? null : (fileNamedIn(line) ?? file)
    parts.set(file, `${parts.get(file) ?? ''}${line}\n`)
  }
  return parts
}

function firstLine(text: string | undefined): string | null {
  return text === undefined ? null : excerpt(lineAt(text, 0), 0)
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? undefined : end)
}

/** Shortens a line to the characters around its change. */
function excerpt(line: string, at: number): string {
  if (line.length <= MOST_CHARACTERS) return line
  const from = Math.max(0, Math.min(at - MOST_CHARACTERS / 2, line.length - MOST_CHARACTERS))
  const cut = line.slice(from, from + MOST_CHARACTERS).toWellFormed()
  return `${from > 0 ? '…' : ''}${cut}${from + MOST_CHARACTERS < line.length ? '…' : ''}`
}
