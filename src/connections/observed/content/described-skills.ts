import { posix } from 'node:path'
import type { SeenSkill } from '../observation.ts'

/** The characters of an entry in which its name is looked for. */
const NAME_ROOM = 300

/** Returns the descriptions in a list of skills of Claude Code, by the names that the client gives with it. */
export function describedSkills(
  content: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const known = new Set(names)
  return new Map(
    content.split(/\n(?=- )/).map((entry) => {
      // A name may have spaces.
      const ends = [...entry.slice(0, NAME_ROOM).matchAll(/: /g)].map(({ index }) => index)
      const listed = ends.map((end) => entry.slice('- '.length, end)).find((one) => known.has(one))
      const [, name = ''] = /^- ([^\s:]+(?::[^\s:]+)*)(?:: |$)/.exec(entry) ?? []
      return [listed ?? name, entry.slice(`- ${listed ?? name}: `.length).trim()] as const
    }),
  )
}

/** The mark before the path of a skill in a list of Codex. */
const FILE = '(file: '

/** Reads the list of skills in a text of Codex, and the names of skills by their files. Returns null for another text. */
export function skillsInText(said: string): {
  readonly skills: readonly SeenSkill[]
  readonly files: ReadonlyMap<string, string>
} | null {
  const [, listed] = /(?:^|\n)### Available skills\n([^]*?)(?=\n(?:<\/|###)|$)/.exec(said) ?? []
  if (listed === undefined) return null
  const roots = new Map(
    [...said.matchAll(/^- `([^`\n]+)` = `([^`\n]+)`$/gm)].map(([, name = '', path = '']) => [
      name,
      path,
    ]),
  )
  const files = new Map<string, string>()
  const skills = listed.split('\n').flatMap((entry) => {
    const mark = entry.lastIndexOf(FILE)
    const hasFile = mark >= 0 && entry.endsWith(')')
    // Only the blank before the path is not of the description.
    const about = (hasFile ? entry.slice(0, mark).replace(/ $/, '') : entry).slice('- '.length)
    const file = hasFile ? entry.slice(mark + FILE.length, -1) : ''
    if (!entry.startsWith('- ') || about.trim() === '') return []
    const end = about.search(/:(?:\s|$)/)
    const name = end < 0 ? about : about.slice(0, end)
    const [root = '', ...way] = file.split('/')
    if (file !== '') files.set(posix.normalize([roots.get(root) ?? root, ...way].join('/')), name)
    return [{ name, description: end < 0 ? null : about.slice(end + 1).trimStart() || null }]
  })
  return { skills, files }
}
