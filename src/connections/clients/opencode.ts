import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  builtInEntry,
  type ClientProfile,
  fitAll,
  type ListedReading,
  ownEntry,
  type Reading,
  type ReasonCode,
  sortReadings,
  type Unlisted,
} from './client-profile.ts'
import { type ClientFolders, exists, member, readSettings } from './client-folders.ts'
import { findSkillFiles, type FoundSkill, type SkillPlace } from './find-skill-files.ts'
import { type Header, invalidYaml, parseHeader } from './parse-header.ts'

export const OPENCODE: ClientProfile = {
  name: 'opencode',
  title: 'OpenCode',
  version: '1.18.33',
  window: 200_000,
  builtIns: [['customize-opencode', 386]],
  async read(started) {
    const folders = await fromRootOfGit(started)
    const [found, denied] = await Promise.all([
      places(folders).then((all) => Promise.all(all.map((place) => findSkillFiles(place, WALK)))),
      readDenied(folders),
    ])
    const paths = new Map(found.flat().map((file) => [file.path, file]))
    return [...paths.values()].map((file) => ({ ...file, ...readSkill(file, denied) }))
  },
  async arrange(skills, folders) {
    const { listed, unlisted } = sortReadings(skills)
    const last = new Map<string, ListedReading>()
    const unknown = new Map<string, string>()
    const replaced: Unlisted[] = []
    for (const skill of listed) {
      const other = last.get(skill.name)
      last.set(skill.name, skill)
      if (other === undefined) continue
      const text = `${skill.path} has the same name; OpenCode takes one of them by chance.`
      const reason = { code: 'same-name', text } as const
      replaced.push({ name: skill.name, file: other, outcome: 'replaced', reason })
      if (other.description !== skill.description) {
        unknown.set(skill.name, 'of skills with one name OpenCode takes one by chance')
      }
    }
    const own = [...last.values()].map(ownEntry)
    const denied = await readDenied(await fromRootOfGit(folders))
    const builtIns = OPENCODE.builtIns
      .filter(([name]) => !last.has(name) && !denied(name))
      .map(builtInEntry)
    const entries = [...builtIns, ...own].toSorted((a, b) => a.name.localeCompare(b.name))
    // Names whose letters are composed in other ways.
    for (const [at, { name }] of entries.entries()) {
      const before = entries[at - 1]?.name
      if (before === undefined || before.localeCompare(name) !== 0) continue
      for (const one of [before, name]) {
        unknown.set(one, 'OpenCode sorts two names alike, and takes one of them first by chance')
      }
    }
    return { entries, unlisted: [...unlisted, ...replaced], unknown }
  },
  fit: fitAll,
}

/**
 * OpenCode asks git for the root. A `.git` file that leads to no repository makes git fail, and then the root is that of the
 * disk; a `.git` folder that is no repository is passed by.
 */
async function fromRootOfGit(folders: ClientFolders): Promise<ClientFolders> {
  const parents: string[] = []
  let isAsked = true
  for (let at = folders.folder; ; at = dirname(at)) {
    parents.push(at)
    if (dirname(at) === at) return { ...folders, root: null, parents }
    const git = join(at, '.git')
    const text = await readFile(git, 'utf8').catch(() => null)
    const target = text === null ? git : /^gitdir: (.+?)\n*$/.exec(text)?.[1]
    const isThere = target !== undefined && (await exists(join(resolve(at, target), 'HEAD')))
    if (isAsked && isThere) return { ...folders, root: at, parents }
    if (text !== null) isAsked = false
  }
}

const WALK = {
  depth: Number.POSITIVE_INFINITY,
  inPlace: true,
  belowSkills: true,
  skips: () => false,
  fileLinks: true,
  looseFiles: 0,
  maxBytes: Number.POSITIVE_INFINITY,
}

/** Its own folders do not search those that begin with a dot. */
const OWN = { skips: (name: string) => name.startsWith('.') }

async function places(folders: ClientFolders): Promise<readonly SkillPlace[]> {
  const { folder, home, parents } = folders
  const shared = (at: string, scope: 'home' | 'project') =>
    ['.claude', '.agents'].map((name) => ({ path: join(at, name, 'skills'), scope }))
  const own = (at: string, scope: 'home' | 'project') =>
    ['skill', 'skills'].map((name) => ({ path: join(at, name), scope, walk: OWN }))
  const paths = (await readOpenCodeConfigs(folders)).flatMap((config) => {
    const listed = member(config, 'skills')['paths']
    return Array.isArray(listed) ? listed.map(String) : []
  })
  return [
    ...shared(home, 'home'),
    ...parents.flatMap((at) => shared(at, 'project')),
    ...own(join(home, '.config', 'opencode'), 'home'),
    ...parents.flatMap((at) => own(join(at, '.opencode'), 'project')),
    ...own(join(home, '.opencode'), 'home'),
    ...paths.map((path) => ({
      path: path.startsWith('~/') ? join(home, path.slice(2)) : join(folder, path),
      scope: 'project' as const,
      walk: OWN,
    })),
  ]
}

/** The configurations of the home and of the project; those that are nearer come last. */
export function readOpenCodeConfigs({ home, parents }: ClientFolders): Promise<readonly unknown[]> {
  const names = ['opencode.json', 'opencode.jsonc']
  const folders = [join(home, '.config', 'opencode'), ...parents.toReversed()]
  const own = parents.toReversed().map((at) => join(at, '.opencode'))
  return Promise.all(
    [...folders, ...own].flatMap((at) => names.map((name) => readSettings(join(at, name)))),
  )
}

/** Returns true for a name that the last rule for skills which matches it denies. */
async function readDenied(folders: ClientFolders): Promise<(name: string) => boolean> {
  const rules: (readonly [pattern: string, action: unknown])[] = []
  for (const config of await readOpenCodeConfigs(folders)) {
    const { permission } = member(config)
    if (typeof permission === 'string') rules.push(['*', permission])
    for (const [key, value] of Object.entries(member(permission))) {
      if (key !== 'skill' && key !== '*') continue
      if (typeof value === 'string') rules.push(['*', value])
      else rules.push(...Object.entries(member(value)))
    }
  }
  return (name) => {
    const last = rules.findLast(([pattern]) => matchesWildcards(name, pattern))
    return last?.[1] === 'deny'
  }
}

/** Returns true for a name that `*`, for any characters, and `?`, for one, make of a pattern. */
function matchesWildcards(name: string, pattern: string): boolean {
  let [at, inName, star, after] = [0, 0, -1, 0]
  while (inName < name.length) {
    if (pattern[at] === '*') [star, after, at] = [at, inName, at + 1]
    else if (pattern[at] === '?' || pattern[at] === name[inName])
      [at, inName] = [at + 1, inName + 1]
    else if (star < 0) return false
    // The last star takes one character more.
    else [at, after, inName] = [star + 1, after + 1, after + 1]
  }
  return pattern.slice(at).replaceAll('*', '') === ''
}

const DENIED = {
  code: 'permission-rule',
  text: 'permission.skill in the configuration denies it',
} as const

const UNESCAPED = {
  code: 'closing-tag',
  text: 'the description closes a tag of the list, and is not escaped',
} as const

function readSkill({ bytes }: FoundSkill, denied: (name: string) => boolean): Reading {
  const read = readHeader(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if ('fault' in read) {
    return { dropped: read.fault, ...(read.line !== undefined && { line: read.line }) }
  }
  const at = (field: string) => {
    const line = read.lines.get(field)
    return line === undefined ? {} : { line }
  }
  const drop = (code: ReasonCode, text: string, field?: string) => ({
    dropped: { code, text },
    ...(field !== undefined && at(field)),
  })
  if ('' in read.fields) return { dropped: invalidYaml('a field has no name'), ...at('') }
  const { name, description } = read.fields
  if (Object.keys(read.fields).length === 0)
    return drop('no-front-matter', 'it has no front matter')
  if (name === undefined) return drop('no-name', 'it has no name')
  if (name === '__proto__') return drop('no-name', 'its name is lost', 'name')
  if (typeof name !== 'string') return drop('no-name', 'its name is no text', 'name')
  if (description === undefined) return drop('no-description', 'it has no description')
  if (typeof description !== 'string')
    return drop('wrong-kind', 'its description is no text', 'description')
  const isUnsafe = /<\/(?:available_skills|skill|description)>/.test(description)
  return {
    name,
    description,
    ...(denied(name) && { hidden: DENIED }),
    ...(isUnsafe && {
      changed: UNESCAPED,
      ...at('description'),
    }),
  }
}

function readHeader(text: string): Header {
  const first = parseText(text)
  if (!('fault' in first)) return first
  const blocks = withBlocks(text)
  const again = parseText(blocks)
  if (!('fault' in again)) return again
  // The first fault may be one that the blocks end. Each block has a line more.
  const { fault, line } = blocks === text ? first : again
  if (line === undefined) return { fault }
  const before = blocks
    .split('\n')
    .slice(0, line - 1)
    .filter((one) => one.endsWith(' |-')).length
  return { fault, line: blocks === text ? line : line - before }
}

const YAML = { merges: true, oldNumbers: true, knownTags: true } as const

/** The front matter ends at the next line that begins with `---`, or with the file. */
function parseText(text: string): Header {
  const none = { fields: {}, sources: new Map(), lines: new Map() }
  if (!text.startsWith('---') || text[3] === '-') return none
  const language = text.slice(3).split(/\r?\n/, 1)[0]?.trim().toLowerCase() ?? ''
  if (language !== '' && language !== 'yaml' && language !== 'yml') {
    const text = `its front matter is in "${language}", not in YAML`
    return { fault: { code: 'no-yaml', text }, line: 1 }
  }
  const rest = text.slice(3 + (language === '' ? 0 : text.slice(3).search(/\r?\n/)))
  const end = rest.indexOf('\n---')
  const yaml = (end < 0 ? rest : rest.slice(0, end)).replace(/\r\n?/g, '\n')
  const read = parseHeader(yaml, 1, YAML)
  // Tabs do not indent.
  const plain = yaml.replace(/^( *)\t+/gm, '$1')
  return 'fault' in read && plain !== yaml ? parseHeader(plain, 1, YAML) : read
}

/** Values with a colon become blocks of text, as the client writes them before it tries again. */
function withBlocks(text: string): string {
  const yaml = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1]
  if (yaml === undefined) return text
  const lines = yaml.split(/\r?\n/).flatMap((line) => {
    const [, key, value = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)$/.exec(line) ?? []
    const plain = value.trim()
    const isKept = key === undefined || /^(?:[>|]?$|["'])/.test(plain) || !plain.includes(':')
    return isKept ? [line] : [`${key}: |-`, `  ${plain}`]
  })
  return text.replace(yaml, () => lines.join('\n'))
}
