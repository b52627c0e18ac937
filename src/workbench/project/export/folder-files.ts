import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Diagnostic, type Skill, WorkspaceError } from '../../../entries/index.ts'
import { fileListTruncated, findFiles } from '../walk/find-files.ts'
import { FIXED_LIMITS, resolveOptions } from '../walk/load-options.ts'
import { faultDiagnostic, readInside } from '../walk/read-inside.ts'

interface FolderFiles {
  /** Their bytes, by path in the folder, with `/`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Findings about files that were left out. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads all files of a folder, within the limits of a skill; links that lead out are left out.
 * `skip` leaves out entries by path.
 */
export async function folderFiles(
  path: string,
  skip: (inner: string) => boolean = () => false,
): Promise<FolderFiles> {
  const options = resolveOptions({})
  const diagnostics: Diagnostic[] = []
  const real = await realpath(path)
  const entries = await readdir(real, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = await findFiles({ path, real, depth: 0, entries }, skip, options, diagnostics)
  if (found.length > FIXED_LIMITS.maxFiles) {
    diagnostics.push(
      fileListTruncated(path, `${FIXED_LIMITS.maxFiles} of at least ${found.length} files`),
    )
  }
  const files = new Map<string, Uint8Array>()
  let room = FIXED_LIMITS.maxSkillBytes
  for (const inner of found.slice(0, FIXED_LIMITS.maxFiles)) {
    const file = join(path, inner)
    const read = await readInside(real, file, { maxBytes: room, followLinksOut: false })
    if (read.ok) {
      files.set(inner, read.bytes)
      room -= read.bytes.length
    } else diagnostics.push(faultDiagnostic(read.fault, 'warning', file))
  }
  return { files, diagnostics }
}

/**
 * Returns the files of a skill as bytes, from its folder, or from its texts when it has none.
 *
 * Older Carnet projects store fields of a skill in a `schema.json` next to it. That file is left out
 * unless the skill lists it, since the exported `SKILL.md` has those fields.
 *
 * @param skip leaves out further entries by path
 */
export async function skillSourceFiles(
  skill: Skill,
  skip: (inner: string) => boolean = () => false,
): Promise<FolderFiles> {
  const { path, baseDirectory, files } = skill
  if (path === undefined || baseDirectory === undefined) return skillTexts(skill)
  const listed = new Set(files.map((file) => file.path))
  return folderFiles(
    dirname(path),
    (inner) => skip(inner) || (inner === 'schema.json' && !listed.has(inner)),
  )
}

/**
 * Returns the files of a skill without a folder, by their texts: those of a manifest, or of code.
 */
async function skillTexts(skill: Skill): Promise<FolderFiles> {
  const files = new Map<string, Uint8Array>()
  const diagnostics: Diagnostic[] = []
  for (const { path } of skill.files) {
    try {
      const text = await skill.readFile?.(path)
      if (text !== undefined) files.set(path, new TextEncoder().encode(text))
      else diagnostics.push(unreadableFile(skill, path, 'it is listed without a text'))
    } catch (error) {
      if (!WorkspaceError.is(error)) throw error
      diagnostics.push(unreadableFile(skill, path, error.message))
    }
  }
  return { files, diagnostics }
}

function unreadableFile({ name }: Skill, path: string, why: string): Diagnostic {
  return exportFinding.leftOut(
    `The file "${path}" of the skill "${name}" was left out: ${why}`,
    'Give the folder that contains the file instead of the manifest.',
  )
}

type Make = (message: string, hint: string, file?: string) => Diagnostic

const finding = (code: string, message: string, hint: string, file?: string): Diagnostic => ({
  code,
  severity: 'warning',
  message,
  hint,
  ...(file !== undefined && { file }),
})

const changed: Make = (...text) => finding('export-changed', ...text)

const leftOut: Make = (...text) => finding('export-left-out', ...text)

const codeMissing: Make = (...text) => finding('export-code-missing', ...text)

const reachesOut: Make = (...text) => finding('export-reaches-out', ...text)

const notPortable: Make = (...text) => finding('export-not-portable', ...text)

/** Findings about an export, by kind. None of them stops the export. */
export const exportFinding = { changed, leftOut, codeMissing, reachesOut, notPortable } as const
