import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import type { Rule } from '../../../entries/kit.ts'
import { configName } from '../config/load-config.ts'
import { createFiles, type NewFiles } from '../walk/create-files.ts'

/** The result of an import: the files it wrote, and an item for everything it found. */
export interface Imported {
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  readonly items: readonly ImportItem[]
}

/** The configuration of an import; empty fields are not written. */
export type ImportedConfig = Readonly<
  Record<string, Readonly<Record<string, string | readonly Rule[]>>>
>

/**
 * Writes imported files, and the configuration as `loadout.config.json`. An existing configuration
 * is kept, and an item shows what it lacks. Throws `FILES_EXIST`, and `NOTHING_TO_IMPORT` when
 * nothing was imported.
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
  const exists = (await stat(root).catch(() => null))?.isDirectory() ?? false
  const before = exists ? await configName(root) : null
  const name = 'loadout.config.json'
  const text = `${JSON.stringify(Object.fromEntries(filled), null, 2)}\n`
  const writesConfig = filled.length > 0 && before === null
  const all = writesConfig ? new Map([...files, [name, text] as const]) : files
  if (all.size === 0) {
    const left = items.filter(({ outcome }) => outcome === 'left')
    const reasons = left
      .slice(0, 5)
      .map(({ kind, name, notes }) => `${kind} ${name}: ${notes.join(' ')}`)
    if (left.length > reasons.length)
      reasons.push(`${left.length - reasons.length} more were left out.`)
    throw new WorkspaceError('NOTHING_TO_IMPORT', `There is nothing to import in "${from}".`, {
      facts: { from, left },
      hint:
        left.length === 0
          ? 'Give the folder of the project, or the folder of its definitions.'
          : reasons.join('\n'),
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
                `${join(to, before)} was not changed; add: ${text.trim()}`,
              ),
        ]
  return { files: await createFiles(root, all), items: [...items, ...settings] }
}

/** The outcome for one thing to import. */
export interface ImportItem {
  /**
   * `taken`: imported unchanged; `changed`: imported with the changes in the notes; `left`: not
   * imported.
   */
  readonly outcome: 'taken' | 'changed' | 'left'
  readonly kind:
    'plugin' | 'skill' | 'command' | 'agent' | 'toolset' | 'tool' | 'rules' | 'settings' | 'file'
  readonly name: string
  /** Its path in the imported folder; null when it came from a manifest. */
  readonly from: string | null
  /** Its file in the written folder; null when it was not imported. */
  readonly to: string | null
  readonly notes: readonly string[]
}

/** Returns an item that was imported, unchanged if there are no notes. */
export function takenItem(
  kind: ImportItem['kind'],
  name: string,
  from: string | null,
  to: string,
  notes: readonly string[] = [],
): ImportItem {
  return { outcome: notes.length === 0 ? 'taken' : 'changed', kind, name, from, to, notes }
}

/** Returns an item that was not imported, with the reason. */
export function leftItem(
  kind: ImportItem['kind'],
  name: string,
  from: string | null,
  why: string,
): ImportItem {
  return { outcome: 'left', kind, name, from, to: null, notes: [why] }
}
