import { basename, dirname, join, matchesGlob, relative } from 'node:path'
import {
  type ClientProfile,
  type ListedReading,
  ownEntry,
  type Reading,
  sortReadings,
  type Unlisted,
} from './client-profile.ts'
import { type ClientFolders, member, readSettings } from './client-folders.ts'
import { findSkillFiles, type SkillFile, type SkillPlace, uniqueFiles } from './find-skill-files.ts'
import { parseHeader } from './read-header.ts'

export const PI: ClientProfile = {
  name: 'pi',
  title: 'pi',
  version: '0.73.1',
  window: 200_000,
  builtIns: [],
  async read(folders) {
    const [found, excluded] = await Promise.all([
      Promise.all(places(folders).map((place) => findSkillFiles(place, WALK))),
      readExcluded(folders),
    ])
    return uniqueFiles(found.flat()).map((file) => ({ ...file, ...readSkill(file, excluded) }))
  },
  async arrange(skills) {
    const { listed, unlisted } = sortReadings(skills)
    const first = new Map<string, ListedReading>()
    const replaced: Unlisted[] = []
    // A skill that is hidden has its name, too.
    for (const skill of skills) {
      if ('dropped' in skill) continue
      const other = first.get(skill.name)
      if (other === undefined) first.set(skill.name, skill)
      else {
        const reason = `${other.path} has the same name, and is read first.`
        replaced.push({ name: skill.name, file: skill, outcome: 'replaced', reason })
      }
    }
    const isFirst = (skill: SkillFile & { name: string }) => first.get(skill.name) === skill
    const entries = listed.filter(isFirst).map(ownEntry)
    const others = unlisted.filter(({ file }) => !replaced.some((one) => one.file === file))
    return { entries, unlisted: [...others, ...replaced] }
  },
  fit: async (entries) => ({
    limit: null,
    unit: 'characters',
    sizes: entries.map(({ name, length }) => name.length + length),
    shown: entries.map(({ length }) => length),
  }),
}

const WALK = {
  depth: Number.POSITIVE_INFINITY,
  inPlace: true,
  belowSkills: false,
  skips: (name: string) => name.startsWith('.') || name === 'node_modules',
  fileLinks: true,
  looseFiles: 0,
  maxBytes: Number.POSITIVE_INFINITY,
}

/** Its own folders come first; in them, a Markdown file is a skill as well. */
function places({ folder, home, parents }: ClientFolders): readonly SkillPlace[] {
  const shared = join(home, '.agents', 'skills')
  return [
    { path: join(folder, '.pi', 'skills'), scope: 'project', walk: { looseFiles: 1 } },
    ...parents
      .map((path) => ({ path: join(path, '.agents', 'skills'), scope: 'project' as const }))
      .filter(({ path }) => path !== shared),
    { path: join(home, '.pi', 'agent', 'skills'), scope: 'home', walk: { looseFiles: 1 } },
    { path: shared, scope: 'home' },
  ]
}

/** Returns true for a file that settings turn off: `!pattern`, or `-path`, which `+path` brings back. */
async function readExcluded({
  folder,
  home,
}: ClientFolders): Promise<(file: SkillFile) => boolean> {
  const bases = { project: join(folder, '.pi'), home: join(home, '.pi', 'agent') }
  const read = async (base: string) => {
    const { skills } = member(await readSettings(join(base, 'settings.json')))
    return Array.isArray(skills) ? skills.map(String) : []
  }
  const patterns = { project: await read(bases.project), home: await read(bases.home) }
  return ({ path, scope }) => {
    if (scope === 'built-in') return false
    const skill = basename(path) === 'SKILL.md' ? dirname(path) : path
    const exact = [path, skill].flatMap((one) => [one, relative(bases[scope], one)])
    const names = [...exact, basename(path), basename(skill)]
    const has = (sign: string, test: (pattern: string) => boolean) =>
      patterns[scope].some((one) => one.startsWith(sign) && test(one.slice(1)))
    const isExact = (pattern: string) => exact.includes(pattern.replace(/^\.\//, ''))
    if (has('-', isExact)) return true
    if (has('+', isExact)) return false
    return has('!', (pattern) => names.some((one) => one === pattern || matchesGlob(one, pattern)))
  }
}

function readSkill(file: SkillFile, excluded: (file: SkillFile) => boolean): Reading {
  const { bytes, folderName } = file
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replace(/\r\n?/g, '\n')
  const end = text.indexOf('\n---', 3)
  if (!text.startsWith('---') || end < 0) {
    const start = text.startsWith('\uFEFF') ? 'a byte order mark' : 'no front matter'
    return { dropped: `it begins with ${start}`, line: 1 }
  }
  const read = parseHeader(text.slice(4, Math.max(4, end)), 2, { takesControls: true })
  if ('fault' in read) {
    return { dropped: read.fault, ...(read.line !== undefined && { line: read.line }) }
  }
  const at = (field: string) => {
    const line = read.lines.get(field)
    return line === undefined ? {} : { line }
  }
  const { name, description, 'disable-model-invocation': disabled } = read.fields
  if (description === undefined || description === null) return { dropped: 'it has no description' }
  if (typeof description !== 'string')
    return { dropped: 'its description is no text', ...at('description') }
  if (description.trim() === '')
    return { dropped: 'its description is empty', ...at('description') }
  const isNameless =
    name === undefined || name === null || name === '' || name === false || name === 0
  if (!isNameless && typeof name !== 'string')
    return { dropped: 'its name is no text', ...at('name') }
  return {
    name: isNameless ? folderName : name,
    description,
    ...(excluded(file) && { hidden: 'settings.json turns it off' }),
    ...(disabled === true && {
      hidden: '"disable-model-invocation" keeps it from the model',
      ...at('disable-model-invocation'),
    }),
  }
}
