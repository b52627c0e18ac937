import { join } from 'node:path'
import { textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { decodeText } from '../../skills/parse/decode-text.ts'
import { Findings } from '../../skills/parse/findings.ts'
import type { SkillFile, SkillFileReader } from '../../skills/definition/skill.ts'
import { readInside } from '../walk/read-inside.ts'
import type { Folder } from '../walk/walk-folders.ts'

/**
 * Reads the listed files of one skill from disk. A path is looked up in the list and never
 * resolved, so no way of writing one leads anywhere else: `FILE_NOT_LISTED`. A file that is not
 * the one that was listed any more is refused (`FILE_CHANGED`): a session reads what it loaded.
 */
export function skillFileReader(
  skill: string,
  folder: Folder,
  files: readonly SkillFile[],
  followLinksOut: boolean,
): SkillFileReader {
  const listed = new Map(files.map((file) => [file.path, file]))
  return async (path, signal) => {
    const file = listed.get(path)
    if (file === undefined) {
      throw new WorkspaceError('FILE_NOT_LISTED', `The skill "${skill}" lists no file "${path}".`, {
        facts: { skill, path },
        hint: 'Use a path exactly as the list of files gives it.',
      })
    }
    signal?.throwIfAborted()
    const full = join(folder.path, path)
    const outcome = await readInside(folder.real, full, { maxBytes: file.size, followLinksOut })
    if (!outcome.ok || textHash(outcome.bytes) !== file.hash) {
      const why = outcome.ok ? 'Its content is another one.' : outcome.fault.message
      throw new WorkspaceError(
        'FILE_CHANGED',
        `The file "${path}" of the skill "${skill}" is not the one that was listed. ${why}`,
        { facts: { skill, path }, hint: 'Load the skills again to accept what is there now.' },
      )
    }
    const findings = new Findings(full)
    const text = decodeText(outcome.bytes, findings)
    if (text !== null) return text
    const [finding] = findings.list
    throw new WorkspaceError(
      'FILE_NOT_TEXT',
      `The file "${path}" of the skill "${skill}" is not text. ${finding?.message ?? ''}`.trim(),
      { facts: { skill, path }, hint: 'Read another file, or use it by its path.' },
    )
  }
}
