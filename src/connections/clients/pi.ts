import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import {
  type ClientProfile,
  firstOfNames,
  fitAll,
  ownEntry,
  type Reading,
  type ReasonCode,
} from './client-profile.ts'
import { type ClientFolders, member, readSettings } from './client-folders.ts'
import {
  findSkillFiles,
  type FoundSkill,
  type SkillPlace,
  uniqueFiles,
} from './find-skill-files.ts'
import { parseHeader } from './parse-header.ts'

export const PI: ClientProfile = {
  name: 'pi',
  title: 'pi',
  version: '0.73.1',
  window: 200_000,
  builtIns: [],
  async read(folders) {
    const settings = await readPatterns(folders)
    const all = places(folders, settings)
    const found = await Promise.all(all.map((place) => findSkillFiles(place, WALK)))
    const { left = [], out = [] } = Object.groupBy(found.flat(), ({ isIgnored }) =>
      isIgnored ? 'out' : 'left',
    )
    const files = uniqueFiles([...left, ...out])
    return files.map((file) => ({ ...file, ...readSkill(file, isExcluded(file, settings)) }))
  },
  async arrange(skills) {
    const { listed, unlisted } = firstOfNames(skills)
    return { entries: listed.map(ownEntry), unlisted }
  },
  fit: fitAll,
}

const WALK = {
  depth: Number.POSITIVE_INFINITY,
  inPlace: true,
  belowSkills: false,
  skips: (name: string) => name.startsWith('.') || name === 'node_modules',
  fileLinks: true,
  loops: true as const,
  looseFiles: 0,
  ignoreFiles: ['.gitignore', '.ignore', '.fdignore'],
  maxBytes: Number.POSITIVE_INFINITY,
}

/** The paths and patterns in the settings of the project and of the home, with the folders they are relative to. */
type Patterns = Readonly<
  Record<'project' | 'home', { readonly base: string; readonly patterns: readonly string[] }>
>

async function readPatterns({ folder, home }: ClientFolders): Promise<Patterns> {
  const read = async (base: string) => {
    const { skills } = member(await readSettings(join(base, 'settings.json')))
    return { base, patterns: Array.isArray(skills) ? skills.map(String) : [] }
  }
  return {
    project: await read(join(folder, '.pi')),
    home: await read(join(home, '.pi', 'agent')),
  }
}

/** Paths in settings come first, then its own folders; in both, a Markdown file is a skill as well. */
function places(
  { folder, home, parents }: ClientFolders,
  settings: Patterns,
): readonly SkillPlace[] {
  const shared = join(home, '.agents', 'skills')
  const walk = { looseFiles: 1 }
  const given = (scope: 'project' | 'home') => {
    const { base, patterns } = settings[scope]
    const paths = patterns.filter((one) => !/^[!+-]|[*?]/.test(one))
    return paths.map((path) => ({
      path: path.startsWith('~/') ? join(home, path.slice(2)) : resolve(base, path),
      scope,
      walk,
    }))
  }
  return [
    ...given('project'),
    { path: join(folder, '.pi', 'skills'), scope: 'project', walk },
    ...parents
      .map((path) => ({ path: join(path, '.agents', 'skills'), scope: 'project' as const }))
      .filter(({ path }) => path !== shared),
    ...given('home'),
    { path: join(home, '.pi', 'agent', 'skills'), scope: 'home', walk },
    { path: shared, scope: 'home' },
  ]
}

/** Returns true for a file that settings turn off: `!pattern`, or `-path`, which `+path` brings back. */
function isExcluded({ path, scope }: FoundSkill, settings: Patterns): boolean {
  if (scope === 'built-in') return false
  const { base, patterns } = settings[scope]
  const skill = basename(path) === 'SKILL.md' ? dirname(path) : path
  const exact = [path, skill].flatMap((one) => [one, relative(base, one)])
  const names = [...exact, basename(path), basename(skill)]
  const has = (sign: string, test: (pattern: string) => boolean) =>
    patterns.some((one) => one.startsWith(sign) && test(one.slice(1)))
  const isExact = (pattern: string) => exact.includes(pattern.replace(/^\.\//, ''))
  if (has('-', isExact)) return true
  if (has('+', isExact)) return false
  return has('!', (pattern) => names.some((one) => one === pattern || matchesGlob(one, pattern)))
}

const MARKED = { code: 'byte-order-mark', text: 'it begins with a byte order mark' } as const
const BARE = { code: 'no-front-matter', text: 'it begins with no front matter' } as const
const TURNED_OFF = { code: 'settings-pattern', text: 'settings.json turns it off' } as const
const PERSON_ONLY = {
  code: 'disable-model-invocation',
  text: '"disable-model-invocation" keeps it from the model',
} as const

function readSkill({ bytes, folderName, isIgnored }: FoundSkill, isOff: boolean): Reading {
  if (isIgnored) {
    const text = `a line in one of ${WALK.ignoreFiles.join(', ')} in the folder leaves it out`
    return { dropped: { code: 'ignored-by-line', text } }
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, '\n')
  const end = text.indexOf('\n---', 3)
  if (!text.startsWith('---') || end < 0) {
    return { dropped: text.startsWith('\uFEFF') ? MARKED : BARE, line: 1 }
  }
  const read = parseHeader(text.slice(4, Math.max(4, end)), 2, { takesControls: true })
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
  const { name, description, 'disable-model-invocation': disabled } = read.fields
  if (description === undefined || description === null)
    return drop('no-description', 'it has no description')
  if (typeof description !== 'string')
    return drop('wrong-kind', 'its description is no text', 'description')
  if (description.trim() === '')
    return drop('no-description', 'its description is empty', 'description')
  const isNameless =
    name === undefined || name === null || name === '' || name === false || name === 0
  if (!isNameless && typeof name !== 'string') return drop('no-name', 'its name is no text', 'name')
  return {
    name: isNameless ? folderName : name,
    description,
    ...(isOff && { hidden: TURNED_OFF }),
    ...(disabled === true && {
      hidden: PERSON_ONLY,
      ...at('disable-model-invocation'),
    }),
  }
}
