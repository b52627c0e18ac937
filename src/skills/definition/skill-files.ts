import { textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { invalidDefinition } from './check-definition.ts'
import type { SkillFile, SkillFileReader } from './skill.ts'
import type { InlineFile, SkillDefinition } from './skill-definition.ts'

/**
 * The files of a definition as a skill lists them, and the one reader for all of them.
 *
 * Whatever the supplied reader would do, only listed paths reach it: `FILE_NOT_LISTED` for
 * every other one, so no trick with `..`, encodings or drives ever meets a disk.
 */
export function skillFiles({ name, files = [], readFile }: SkillDefinition): {
  readonly files: readonly SkillFile[]
  readonly readFile?: SkillFileReader
} {
  const listed = new Map<string, SkillFile>()
  const texts = new Map<string, string>()
  for (const file of files) {
    const problem = problemOf(file, listed.has(file.path), readFile !== undefined)
    if (problem !== undefined) {
      throw invalidDefinition('skill', name, 'files', problem, { at: `files: ${file.path}` })
    }
    listed.set(file.path, listing(file))
    if ('text' in file) texts.set(file.path, file.text)
  }
  if (listed.size === 0) return { files: [] }
  return {
    files: [...listed.values()],
    async readFile(path, signal) {
      if (!listed.has(path)) throw fileNotListed(name, path, [...listed.keys()])
      const text = texts.get(path)
      if (text !== undefined) return text
      if (readFile === undefined) throw fileNotListed(name, path, [...texts.keys()])
      return readFile(path, signal)
    },
  }
}

function listing(file: SkillFile | InlineFile): SkillFile {
  const description = file.description === undefined ? {} : { description: file.description }
  return 'text' in file
    ? {
        path: file.path,
        ...description,
        size: new TextEncoder().encode(file.text).byteLength,
        hash: textHash(file.text),
      }
    : { path: file.path, ...description, size: file.size, hash: file.hash }
}

function problemOf(
  file: SkillFile | InlineFile,
  repeated: boolean,
  readable: boolean,
): string | undefined {
  if (!('text' in file ? isSkillFilePath : isInside)(file.path)) {
    return 'must be a path inside the skill, such as "references/guide.md"'
  }
  if (repeated) return 'is listed twice'
  if (file.description !== undefined && typeof file.description !== 'string') {
    return 'must have a description that is text'
  }
  if ('text' in file) return typeof file.text === 'string' ? undefined : 'must have text'
  if (!Number.isSafeInteger(file.size) || file.size < 0) return 'must have its size in bytes'
  if (typeof file.hash !== 'string') return 'must have its digest as hash'
  return readable ? undefined : 'has no text, and the skill has no readFile'
}

/** No step leads out of the folder; what a loader listed is a file that exists on this system. */
function isInside(path: string): boolean {
  return (
    !path.includes('\0') &&
    path.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

/** True for a path inside a skill that means the same file on every system. */
export function isSkillFilePath(path: string): boolean {
  return isInside(path) && !path.includes('\\') && !/^[A-Za-z]:/.test(path)
}

function fileNotListed(skill: string, path: string, known: readonly string[]): WorkspaceError {
  return new WorkspaceError('FILE_NOT_LISTED', `The skill "${skill}" lists no file "${path}".`, {
    facts: { skill, path, known },
    hint: `Its files: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`,
  })
}
