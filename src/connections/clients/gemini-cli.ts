import { dirname, join } from 'node:path'
import {
  builtInEntry,
  type ClientProfile,
  fitAll,
  ownEntry,
  type ListedReading,
  type Reading,
  sortReadings,
  type Unlisted,
} from './client-profile.ts'
import { type ClientFolders, member, readSettings } from './client-folders.ts'
import { findSkillFiles, type FoundSkill, type SkillPlace } from './find-skill-files.ts'
import { parseHeader } from './parse-header.ts'

/** A folder is read as one that the person trusts; Gemini CLI asks, and without a screen it ends. */
export const GEMINI_CLI: ClientProfile = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  version: '0.61.0',
  window: 1_048_576,
  builtIns: [
    ['skill-creator', 230],
    ['antigravity-support', 273],
  ],
  async read(folders) {
    const { disabled } = await readSkillSettings(folders)
    const found = await Promise.all(places(folders).map((place) => findSkillFiles(place, WALK)))
    return found.flatMap((files) => {
      // A SKILL.md in the folder itself comes first; then the folders in it, from the last to the first.
      const isOwn = ({ path, place }: FoundSkill) => dirname(path) === place
      const below = files.filter((file) => !isOwn(file)).toReversed()
      const all = [...files.filter(isOwn), ...below]
      return all.map((file) => ({ ...file, ...readSkill(file, disabled) }))
    })
  },
  async arrange(skills, folders) {
    const { isOff, disabled } = await readSkillSettings(folders)
    const { unlisted, listed } = sortReadings(
      skills.map((one) => (isOff && 'name' in one ? { ...one, hidden: TURNED_OFF } : one)),
    )
    // A skill takes the place in the list of the one that it replaces.
    const last = new Map<string, ListedReading>()
    const replaced: Unlisted[] = []
    for (const skill of listed) {
      const other = last.get(skill.name)
      last.set(skill.name, skill)
      if (other === undefined) continue
      const text = `${skill.path} has the same name, and is read last.`
      const reason = { code: 'same-name', text } as const
      replaced.push({ name: skill.name, file: other, outcome: 'replaced', reason })
    }
    const builtIns = GEMINI_CLI.builtIns.filter(([name]) => !isOff && !disabled.has(name))
    const names = new Set(builtIns.map(([name]) => name))
    const own = [...last.values()].map(ownEntry)
    const entries = [
      ...builtIns.map((one) => own.find(({ name }) => name === one[0]) ?? builtInEntry(one)),
      ...own.filter(({ name }) => !names.has(name)),
    ]
    return { entries, unlisted: [...unlisted, ...replaced], unknownOrder: ORDER }
  },
  fit: fitAll,
}

const ORDER = 'Gemini CLI may exchange neighbours of a folder by chance.'

const WALK = {
  depth: 1,
  inPlace: true,
  belowSkills: true,
  skips: (name: string) => name.startsWith('.') || name === 'node_modules',
  fileLinks: true,
  looseFiles: 0,
  maxBytes: Number.POSITIVE_INFINITY,
}

/** Those that are read later come first in precedence. */
function places({ home, folder }: ClientFolders): readonly SkillPlace[] {
  const names = ['.gemini', '.agents']
  return [
    ...names.map((name) => ({ path: join(home, name, 'skills'), scope: 'home' as const })),
    ...names.map((name) => ({ path: join(folder, name, 'skills'), scope: 'project' as const })),
  ].filter(({ scope }) => scope === 'home' || folder !== home)
}

async function readSkillSettings({ home, folder }: ClientFolders) {
  const files = [...new Set([home, folder])].map((base) => join(base, '.gemini', 'settings.json'))
  const all = await Promise.all(
    files.map(async (file) => member(await readSettings(file), 'skills')),
  )
  const disabled = all.flatMap((one) => [one['disabled'] ?? []].flat())
  return {
    disabled: new Set(disabled.map((name) => String(name).toLowerCase())),
    isOff: String(all.findLast(({ enabled }) => enabled !== undefined)?.['enabled']) === 'false',
  }
}

const MARKED = { code: 'byte-order-mark', text: 'it begins with a byte order mark' } as const
const BARE = { code: 'no-front-matter', text: 'it begins with no front matter' } as const
const DISABLED = {
  code: 'skills-disabled',
  text: 'skills.disabled in the settings has it',
} as const
const TURNED_OFF = { code: 'skills-off', text: 'the settings turn skills off' } as const
const BY_LINES = {
  code: 'invalid-yaml',
  text: 'its front matter is no YAML, and is read line by line',
} as const
const UNESCAPED = {
  code: 'closing-tag',
  text: 'the description closes a tag of the list, and is not escaped',
} as const

function readSkill({ bytes }: FoundSkill, disabled: ReadonlySet<string>): Reading {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const [, header] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? []
  if (header === undefined) return { dropped: text.startsWith('\uFEFF') ? MARKED : BARE, line: 1 }
  const read = parseHeader(header, 2, { merges: true, oldNumbers: true, knownTags: true })
  const yaml = 'fields' in read ? read.fields : {}
  const isText = ['name', 'description'].every((field) => typeof yaml[field] === 'string')
  const fields = isText ? (yaml as Readonly<Record<string, string>>) : fieldsByLine(header)
  const { name, description } = fields
  if (name === undefined) return { dropped: { code: 'no-name', text: 'it has no name' } }
  if (description === undefined) {
    return { dropped: { code: 'no-description', text: 'it has no description' } }
  }
  const shown = name.replaceAll(/[:\\/<>*?"|]/g, '-')
  const line = 'fault' in read ? read.line : read.lines.get('description')
  const isUnsafe = /<\/(?:available_skills|skill|description)>/.test(description)
  const changed = isUnsafe ? UNESCAPED : 'fault' in read ? BY_LINES : undefined
  return {
    name: shown,
    description,
    ...(disabled.has(shown.toLowerCase()) && { hidden: DISABLED }),
    ...(changed !== undefined && { changed, ...(line !== undefined && { line }) }),
  }
}

/** Reads the two fields from plain lines. Those that are indented continue a description. */
function fieldsByLine(header: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  let open = ''
  for (const line of header.split(/\r?\n/)) {
    if (open === 'description' && /^[ \t]+\S/.test(line)) {
      fields[open] = `${fields[open] ?? ''} ${line.trim()}`.trim()
      continue
    }
    const [, field = '', value = ''] = /^\s*(name|description):\s*(.*)$/.exec(line) ?? []
    if (field !== '') fields[field] = value.trim()
    open = field
  }
  return fields
}
