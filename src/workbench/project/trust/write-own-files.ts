import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { textHash } from '../../../entries/kit.ts'
import { isInside } from '../walk/is-inside.ts'
import { replaceFile } from '../walk/replace-file.ts'
import type { TrustRecord, TrustStore } from './trust-store.ts'

/**
 * Replaces files that Loadout makes of a project: its lock, its manifest. A trusted folder that contains all of the
 * project stays trusted when these are its only changes: the person has just asked for them. Texts that are made of
 * other folders are a change like any other.
 *
 * @param sources the folders and files that the texts are made of
 * @param texts by path, all in one folder
 * @returns true when a file has another text than before
 */
export async function writeOwnFiles(
  texts: ReadonlyMap<string, string>,
  { sources, store }: { readonly sources: readonly string[]; readonly store: TrustStore },
): Promise<boolean> {
  const [first = '.'] = texts.keys()
  const folder = await realpath(dirname(first))
  const before = await store.check(folder)
  let isChanged = false
  for (const [file, text] of texts) isChanged = (await replaceFile(file, text)) || isChanged
  if (!isChanged || before.status !== 'trusted') return isChanged
  const real = await Promise.all(sources.map((source) => realpath(source).catch(() => '')))
  if (!real.every((source) => isInside(before.record.folder, source))) return true
  const now = await store.read(before.record.folder)
  if (hasOnlyChanges(before.record, now, texts, folder)) await store.trust(now.folder, now)
  return true
}

/** Returns true when a folder differs from its record in these files only, and they have these texts. */
function hasOnlyChanges(
  record: TrustRecord,
  now: TrustRecord,
  texts: ReadonlyMap<string, string>,
  folder: string,
): boolean {
  const own = new Map(
    [...texts].map(([file, text]) => {
      const path = join(folder, basename(file))
      return [relative(record.folder, path).replaceAll(sep, '/'), textHash(text)] as const
    }),
  )
  const known = new Map(record.files)
  const found = new Map(now.files)
  return [...new Set([...known.keys(), ...found.keys()])].every((path) => {
    const hash = found.get(path)
    return hash === known.get(path) || (hash !== undefined && hash === own.get(path))
  })
}
