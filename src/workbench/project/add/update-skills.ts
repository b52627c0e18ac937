import { join } from 'node:path'
import { textHash } from '../../../entries/kit.ts'
import {
  type AddedSkill,
  changedSince,
  type LockedFile,
  unifiedDiff,
} from '../../../entries/manifest.ts'
import { folderFiles } from '../export/folder-files.ts'
import { copySkill } from './add-skills.ts'
import { refuseOtherSigner } from './skill-signer.ts'
import { withSource } from './with-source.ts'
import { skillBytes, sourceSkills } from './source-skills.ts'

const NO_FILES: ReadonlyMap<string, Uint8Array> = new Map()

/** The difference between an added skill and its origin. */
export interface SkillUpdate {
  readonly name: string
  readonly folder: string
  readonly origin: string
  readonly from: string | null
  readonly to: string | null
  /** Files that are other there than they were when the skill was copied. */
  readonly changes: readonly FileChange[]
  /** Files that somebody changed or added here since. */
  readonly changedHere: readonly string[]
  /** Files that were copied and are no longer here. */
  readonly missing: readonly string[]
  /** The origin no longer has the skill. */
  readonly isGone: boolean
}

interface FileChange {
  readonly path: string
  readonly what: 'added' | 'removed' | 'changed'
  /** A unified diff; null for a file that is no text. */
  readonly diff: string | null
}

/**
 * Compares added skills with their origins, and replaces those that `accept` agrees to. Returns their new records.
 *
 * @param accept called once, with all differences, before anything is written
 * @param at `now`, or `then` for the commit or version from which they were copied. Then only skills are compared that
 *   differ from their copies
 */
export async function updateSkills(
  skills: readonly AddedSkill[],
  project: string,
  accept: (updates: readonly SkillUpdate[]) => Promise<readonly string[]>,
  at: 'now' | 'then' = 'now',
): Promise<readonly AddedSkill[]> {
  const local = await Promise.all(skills.map((skill) => readCopy(skill, project, at)))
  // A complete, unchanged copy needs no origin to be installed.
  const compared = local.filter(({ different }) => at === 'now' || different.length > 0)
  const groups = [...Map.groupBy(compared, ({ before }) => sourceAddress(before, at))]
  const updates: SkillUpdate[] = []
  const copies = new Map<string, () => Promise<AddedSkill>>()
  const records: AddedSkill[] = []
  // Origins stay open until the answer: what is copied is what was shown.
  const visit = async (place: number): Promise<void> => {
    const [address, group = []] = groups[place] ?? []
    if (address === undefined) {
      const accepted = new Set(await accept(updates))
      for (const [folder, copy] of copies) if (accepted.has(folder)) records.push(await copy())
      return
    }
    await withSource(address, project, async (source) => {
      const { skills: found } = await sourceSkills(source)
      for (const { before, here, different } of group) {
        const now = found.find((one) => one.folder === before.path && one.name === before.name)
        const files = now === undefined ? [] : await skillBytes(source, now)
        if (now !== undefined) refuseOtherSigner(before, address, files, at === 'then')
        updates.push({
          name: before.name,
          folder: before.folder,
          origin: before.origin,
          from: before.commit ?? null,
          to: source.commit ?? null,
          changes: now === undefined ? [] : fileChanges(before.files, files, here),
          changedHere: different.filter((path) => here.has(path)),
          missing: different.filter((path) => !here.has(path)),
          isGone: now === undefined,
        })
        if (now === undefined) continue
        const copy = () => copySkill(source, now, { project, folder: before.folder })
        copies.set(before.folder, copy)
      }
      await visit(place + 1)
    })
  }
  await visit(0)
  return records
}

/**
 * Reads the copy of a skill, and compares it with the lock, which may come from somebody else: an unchanged copy has the
 * signer that the lock names. Throws `SIGNER_CHANGED`.
 */
async function readCopy(skill: AddedSkill, project: string, at: 'now' | 'then') {
  const read = await folderFiles(join(project, skill.folder)).catch(() => null)
  const here = read?.files ?? NO_FILES
  const digests = new Map(Array.from(here, ([path, bytes]) => [path, textHash(bytes)] as const))
  const different = changedSince(skill.files, digests)
  if (different.length === 0) {
    const copied = skill.files.map((file) => ({ ...file, content: here.get(file.path) }))
    refuseOtherSigner(skill, sourceAddress(skill, at), copied, true)
  }
  return { before: skill, here, different }
}

function sourceAddress({ origin, ref, commit }: AddedSkill, at: 'now' | 'then'): string {
  const wanted = at === 'then' ? (commit ?? ref) : ref
  if (wanted === undefined) return origin
  return origin.startsWith('npm:') ? `${origin}@${wanted}` : `${origin}#${wanted}`
}

function fileChanges(
  before: readonly LockedFile[],
  after: readonly (LockedFile & { readonly content: Uint8Array })[],
  here: ReadonlyMap<string, Uint8Array>,
): readonly FileChange[] {
  const was = new Map(before.map((file) => [file.path, file.digest]))
  const is = new Map(after.map((file) => [file.path, file]))
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((path): FileChange[] => {
    const next = is.get(path)
    if (next?.digest === was.get(path)) return []
    const what = next === undefined ? 'removed' : was.has(path) ? 'changed' : 'added'
    const old = decodeFile(here.get(path))
    const text = decodeFile(next?.content)
    return [{ path, what, diff: old === null || text === null ? null : unifiedDiff(old, text) }]
  })
}

/** Returns the text of a file, empty for one that does not exist; null for a file that is no text. */
function decodeFile(bytes: Uint8Array = new Uint8Array()): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
