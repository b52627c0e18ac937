/** Programs that print a file. */
const PRINTS = /(?:^|[\s;|&('"])(?:cat|head|tail|sed|less|more|bat|nl|type|gc|Get-Content)\s/i

const NAME = 'SKILL.md'

/** The longest path that is read, in characters. */
const MAX_PATH = 1000

/** The most files of a command that are read. */
const MAX_FILES = 100

/** Returns the paths of skill files that a command prints, as far as its text shows it. */
export function printedSkillFiles(command: string): readonly string[] {
  if (!PRINTS.test(command)) return []
  const paths: string[] = []
  for (let at = command.indexOf(NAME); at >= 0; at = command.indexOf(NAME, at + 1)) {
    const after = command.charAt(at + NAME.length)
    if (/[\w.]/.test(after)) continue
    const before = command.slice(Math.max(0, at - MAX_PATH), at)
    // In quotes, a path may have spaces.
    const quote = after === "'" || after === '"' ? before.lastIndexOf(after) : -1
    const start = quote >= 0 ? quote + 1 : beginningOfPath(before)
    const isWritten = /(?:>|\btee(?: -a)?)\s*["']?$/.test(before.slice(0, start))
    if (!isWritten) paths.push(before.slice(start) + NAME)
    if (paths.length === MAX_FILES) break
  }
  return paths
}

/** Returns where a path without quotes begins that ends with a text. */
function beginningOfPath(text: string): number {
  let at = text.length
  while (at > 0 && !/[\s'"`;|&<>()=]/.test(text.charAt(at - 1))) at -= 1
  return at
}

export function isSkillFile(path: string): boolean {
  return /(?:^|[\\/])SKILL\.md$/.test(path)
}

/** Returns the skill that a call reads the file of, by the name of its folder; nothing for several or none. */
export function skillReadFrom(paths: readonly string[]): { readonly skill?: string } {
  const [path, ...others] = paths
  const skill = path?.split(/[\\/]/).at(-2) ?? ''
  return skill === '' || others.length > 0 ? {} : { skill }
}

/** Returns the name in the front matter of a skill file, null without front matter; and the text below it. */
export function readSkillFile(text: string): {
  readonly name: string | null
  readonly body: string
} {
  const [whole = '', fields = ''] = /^---\r?\n([^]*?)\r?\n---[^\S\n]*(?:\n|$)/.exec(text) ?? []
  const [, name = ''] = /^name:[^\S\n]*["']?([^\n"']*)/m.exec(fields) ?? []
  return { name: whole === '' ? null : name.trim(), body: text.slice(whole.length).trim() }
}
