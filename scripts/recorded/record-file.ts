import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Something that is recorded: its name in its file, and its normalised text. */
export interface Recording {
  readonly name: string
  readonly text: string
}

/** Begins each record. No text may have such a line. */
const MARK = '=== '

/** Returns the records of a file by name, none without the file. */
export function readRecords(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map()
  const blocks = `\n${readFileSync(file, 'utf8').slice(0, -1)}`.split(`\n${MARK}`).slice(1)
  return new Map(
    blocks.map((block) => {
      const end = block.indexOf('\n')
      return [block.slice(0, end), block.slice(end + 1)]
    }),
  )
}

/** Writes records under their names. A text keeps its bytes, also a missing end of line. */
export function writeRecords(file: string, records: Iterable<Recording>): void {
  const blocks = [...records].map(({ name, text }) => {
    if (name.includes('\n') || `\n${text}`.includes(`\n${MARK}`)) {
      throw new Error(`"${name}" cannot be recorded: a line begins with "${MARK}".`)
    }
    return `${MARK}${name}\n${text}\n`
  })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, blocks.join(''))
}
