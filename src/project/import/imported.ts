import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { configName } from '../config/load-config.ts'
import { createFiles, type NewFiles } from '../walk/create-files.ts'

/** What an import wrote, and what became of everything it found. */
export interface Imported {
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  readonly items: readonly ImportItem[]
}

/** The configuration that an import brings; what is empty is not written. */
export type ImportedConfig = Readonly<
  Record<string, Readonly<Record<string, string | readonly string[]>>>
>

/**
 * Write what was imported, its configuration as `loadout.config.json`. Where the folder has a
 * configuration already, that one stays, and an item says what it lacks. Throws `FILES_EXIST`, and
 * `NOTHING_TO_IMPORT` when nothing was taken.
 */
export async function writeImport(
  to: string,
  files: NewFiles,
  items: readonly ImportItem[],
  config: ImportedConfig,
  from: string,
): Promise<Imported> {
  const root = resolve(to)
  const filled = Object.entries(config).filter(([, value]) => Object.keys(value).length > 0)
  const isThere = (await stat(root).catch(() => null))?.isDirectory() ?? false
  const before = isThere ? await configName(root) : null
  const name = 'loadout.config.json'
  const text = `${JSON.stringify(Object.fromEntries(filled), null, 2)}\n`
  const writesConfig = filled.length > 0 && before === null
  const all = writesConfig ? new Map([...files, [name, text] as const]) : files
  if (all.size === 0) {
    throw new WorkspaceError('NOTHING_TO_IMPORT', `There is nothing to import in "${from}".`, {
      facts: { from, left: items.filter(({ outcome }) => outcome === 'left') },
      hint: 'Give the folder of the project, or the one that holds its definitions.',
    })
  }
  const keys = filled.map(([key]) => key).join(', ')
  const settings =
    filled.length === 0
      ? []
      : [
          before === null
            ? takenItem('settings', keys, null, name)
            : leftItem(
                'settings',
                keys,
                null,
                `${join(to, before)} stays as it is; add: ${text.trim()}`,
              ),
        ]
  return { files: await createFiles(root, all), items: [...items, ...settings] }
}

/** What became of one thing that was to be imported. */
export interface ImportItem {
  /** `taken` as it is; `changed`: taken, and the notes say how it differs; `left` where it is. */
  readonly outcome: 'taken' | 'changed' | 'left'
  readonly kind: 'skill' | 'command' | 'agent' | 'toolset' | 'tool' | 'rules' | 'settings' | 'file'
  readonly name: string
  /** Where it stood, from the folder that was imported; null when it came out of a manifest. */
  readonly from: string | null
  /** The file that defines it now, from the folder that was written; null when it was left. */
  readonly to: string | null
  readonly notes: readonly string[]
}

/** An item that was taken, as it is when there is nothing to note. */
export function takenItem(
  kind: ImportItem['kind'],
  name: string,
  from: string | null,
  to: string,
  notes: readonly string[] = [],
): ImportItem {
  return { outcome: notes.length === 0 ? 'taken' : 'changed', kind, name, from, to, notes }
}

/** An item that stays where it is, and why. */
export function leftItem(
  kind: ImportItem['kind'],
  name: string,
  from: string | null,
  why: string,
): ImportItem {
  return { outcome: 'left', kind, name, from, to: null, notes: [why] }
}
