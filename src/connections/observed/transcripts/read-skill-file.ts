/** A path to the file of a skill, in quotes or not. */
const PATH = /'([^'\n]*SKILL\.md)'|"([^"\n]*SKILL\.md)"|([^\s'"`;|&<>()=]*SKILL\.md)(?![\w.])/g

/** Programs that print a file. */
const PRINTS = /(?:^|[\s;|&('"])(?:cat|head|tail|sed|less|more|bat|nl|type|gc|Get-Content)\s/i

/** Returns the paths of skill files that a command prints, as far as its text shows it. */
export function printedSkillFiles(command: string): readonly string[] {
  if (!PRINTS.test(command)) return []
  return [...command.matchAll(PATH)].flatMap((match) => {
    const isWritten = /(?:>|\btee(?: -a)?)\s*$/.test(command.slice(0, match.index))
    const path = match.slice(1).find((one) => one !== undefined)
    return isWritten || path === undefined ? [] : [path]
  })
}

export function isSkillFile(path: string): boolean {
  return /(?:^|[\\/])SKILL\.md$/.test(path)
}

/** Returns the folder of a skill file, without the folders that it is in. */
export function skillFolder(path: string): string {
  return path.split(/[\\/]/).at(-2) ?? ''
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
