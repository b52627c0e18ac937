import { posix } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import { didYouMean, Findings, nearestNames, sanitiseLine, textHash } from '../../../entries/kit.ts'
import { parseJson, parseSkillFile } from '../../../entries/definitions.ts'
import { FIXED_LIMITS } from '../walk/load-options.ts'
import { unsafeFileName } from '../walk/unsafe-file-name.ts'
import { nameOnDisk, parentFolder, type SourceFile, type SourceFiles } from './source-files.ts'

/** A skill of a source, with the files of its folder. */
export interface SourceSkill {
  readonly name: string
  /** Its folder in the source; empty for the source itself. */
  readonly folder: string
  /** As its front matter, a licence file, or the package says; null when nothing does. */
  readonly license: string | null
  readonly files: readonly SourceFile[]
}

interface FoundSkills {
  readonly skills: readonly SourceSkill[]
  /** Files that were left out, each with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/**
 * Finds the skills of a source: the outermost folders with a `SKILL.md`. One that cannot be read, is too large, or has
 * the name of another is left out, with the reason.
 */
export async function sourceSkills(source: SourceFiles): Promise<FoundSkills> {
  const definitions = source.files.filter(({ path }) => isDefinition(path))
  const folders = new Set(definitions.map(({ path }) => parentFolder(path)))
  const outermost = definitions.filter(({ path }) => {
    return !foldersAbove(parentFolder(path)).some((one) => folders.has(one))
  })
  const left: { path: string; why: string }[] = source.leftOut
    .filter((path) => foldersAbove(path).some((one) => folders.has(one)))
    .map((path) => ({ path, why: 'Links and submodules are not copied.' }))
  const texts = await readTexts(source, outermost)
  const known = new Map<string, SourceSkill>()
  for (const [place, definition] of outermost.entries()) {
    const folder = parentFolder(definition.path)
    const files = source.files.filter(({ path }) => folder === '' || path.startsWith(`${folder}/`))
    const odd = unsafeFiles(files.map(({ path }) => path))
    const why = tooLarge(files) ?? (odd === null ? null : `It is not copied: ${odd}.`)
    const name = posix.basename(folder) || lastPart(source.origin)
    const parsed = parseSkillFile({
      text: texts[place] ?? '',
      file: definition.path,
      folder: name,
    })
    const { definition: found } = parsed
    const fault = parsed.diagnostics.find(({ severity }) => severity === 'error')
    const unsafe = found === null ? null : unsafeFileName(found.name)
    if (unsafe !== null) {
      left.push({ path: definition.path, why: `It cannot have its name as a folder: ${unsafe}.` })
    } else if (found === null || why !== null) {
      left.push({ path: definition.path, why: why ?? fault?.message ?? 'It could not be read.' })
    } else if (known.has(found.name)) {
      const other = known.get(found.name)?.folder ?? ''
      left.push({ path: definition.path, why: `"${other}" has the same name, "${found.name}".` })
    } else {
      const text = found.license ?? (await licenseText(source, folder))
      const license = text === null ? null : sanitiseLine(text).slice(0, 200)
      known.set(found.name, { name: found.name, folder, license, files })
    }
  }
  return { skills: [...known.values()], left }
}

/**
 * Returns the skills that an address means, with the given names, or all. Throws `skill-unknown`, and `NOTHING_TO_ADD`.
 */
export function selectSkills(
  { skills: all, left }: FoundSkills,
  given: readonly string[],
  { origin: from, within = '', skill: named }: SourceFiles,
): readonly SourceSkill[] {
  const names = given.length === 0 && named !== undefined ? [named] : given
  const origin = within === '' ? from : `${from}/${within}`
  const skills = all.filter(({ folder }) => {
    return (
      [folder, ...foldersAbove(folder)].includes(within) || foldersAbove(within).includes(folder)
    )
  })
  if (skills.length === 0) {
    throw new WorkspaceError('NOTHING_TO_ADD', `There is no skill in "${origin}".`, {
      facts: { origin, left },
      hint: left.length === 0 ? 'A skill is a folder with a SKILL.md.' : (left[0]?.why ?? ''),
    })
  }
  if (names.length === 0) return skills
  const byName = new Map(skills.map((skill) => [skill.name, skill]))
  return [...new Set(names)].map((name) => {
    const skill = byName.get(name)
    if (skill !== undefined) return skill
    const nearest = nearestNames(name, byName.keys())
    throw new WorkspaceError('SKILL_UNKNOWN', `"${origin}" has no skill "${name}".`, {
      facts: { name, known: [...byName.keys()] },
      hint: didYouMean(nearest, `It has ${[...byName.keys()].slice(0, 10).join(', ')}.`),
    })
  })
}

/** Reads the files of a skill, by path from its folder, with their digests. */
export async function skillBytes(source: SourceFiles, { folder, files }: SourceSkill) {
  const bytes = await source.read(files)
  return files.map(({ path, executable }, at) => {
    const content = bytes[at] ?? new Uint8Array()
    const inner = folder === '' ? path : path.slice(folder.length + 1)
    return { path: inner, content, digest: textHash(content), size: content.length, executable }
  })
}

/** Returns true for the path of a definition of a skill. */
export function isDefinition(path: string): boolean {
  return /(?:^|\/)(?:SKILL|skill)\.md$/u.test(path)
}

/** Returns the folders above a path, the source itself last. */
function foldersAbove(path: string): readonly string[] {
  if (path === '') return []
  const above = parentFolder(path)
  return [above, ...foldersAbove(above)]
}

/** Returns the name that an address ends with, such as `skills` for `https://host/skills.git`. */
function lastPart(origin: string): string {
  const last = origin.split(/[/:]/u).findLast((part) => part !== '') ?? 'skill'
  const end = ['.git', '.tgz', '.tar.gz'].find((ending) => last.endsWith(ending))
  return end === undefined ? last : last.slice(0, -end.length)
}

function tooLarge(files: readonly SourceFile[]): string | null {
  const { maxFiles, maxSkillBytes } = FIXED_LIMITS
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > maxFiles)
    return `It has ${files.length} files; at most ${maxFiles} are copied.`
  if (bytes > maxSkillBytes) return `It has ${bytes} bytes; at most ${maxSkillBytes} are copied.`
  return null
}

/**
 * Returns why files are not copied: the name of one can write to a terminal, or a folder of them looks like a repository.
 * Git, for one, reads the settings of such a folder wherever it is called below, and they can run programs.
 */
export function unsafeFiles(paths: readonly string[]): string | null {
  const odd = paths.find((path) => sanitiseLine(path) !== path)
  if (odd !== undefined) return `the name "${sanitiseLine(odd)}" has a hidden character`
  const folders = new Map<string, Set<string>>()
  for (const path of paths) {
    const names = nameOnDisk(path).split('/')
    for (const [at, part] of names.entries()) {
      if (!REPOSITORY_PARTS.has(part)) continue
      const folder = names.slice(0, at).join('/')
      folders.set(folder, (folders.get(folder) ?? new Set()).add(part))
    }
  }
  // Git takes the objects of another folder when there is a commondir, and needs no config.
  const isOfGit = [...folders.values()].some(
    (parts) =>
      parts.has('head') && (parts.has('commondir') || (parts.has('objects') && parts.has('refs'))),
  )
  const isRepository =
    isOfGit || [...folders.values()].some((parts) => !parts.isDisjointFrom(OTHER_REPOSITORIES))
  return isRepository
    ? 'a folder in it looks like a repository, whose settings can run programs'
    : null
}

/** Folders in which Mercurial, Jujutsu, Bazaar, Darcs and Pijul have their settings. */
const OTHER_REPOSITORIES: ReadonlySet<string> = new Set(['.hg', '.jj', '.bzr', '_darcs', '.pijul'])

/** Parts of a repository of Git, in a folder with any name, and the folders of other programs. */
const REPOSITORY_PARTS: ReadonlySet<string> = new Set([
  'head',
  'commondir',
  'objects',
  'refs',
]).union(OTHER_REPOSITORIES)

async function readTexts(
  source: SourceFiles,
  files: readonly SourceFile[],
): Promise<readonly string[]> {
  const small = files.filter(({ size }) => size <= FIXED_LIMITS.maxTextBytes)
  const read = await source.read(small)
  const texts = new Map(small.map((file, at) => [file, new TextDecoder().decode(read[at])]))
  return files.map((file) => texts.get(file) ?? '')
}

/** Returns the first line of the licence file of a skill or its source, else the licence that the source declares. */
async function licenseText(source: SourceFiles, folder: string): Promise<string | null> {
  const all = source.files.filter(({ path }) => /(?:^|\/)(?:licen[cs]e|copying)[^/]*$/iu.test(path))
  const file =
    all.find(({ path }) => parentFolder(path) === folder) ??
    all.find(({ path }) => parentFolder(path) === '') ??
    source.files.find(({ path }) => DECLARING.has(path))
  if (file === undefined) return null
  const [text = ''] = await readTexts(source, [file])
  const isDeclared = DECLARING.has(file.path)
  const line = isDeclared ? declaredLicense(text) : text.split('\n').find((one) => /\w/u.test(one))
  return line === undefined ? null : `${line.trim()} (${file.path})`
}

/** Files at the root of a source that declare the licence of all of it. */
const DECLARING: ReadonlySet<string> = new Set(['package.json', '.claude-plugin/plugin.json'])

function declaredLicense(text: string): string | undefined {
  const license = parseJson(text, new Findings(''), 'values')?.value['license']
  return typeof license === 'string' ? license : undefined
}
