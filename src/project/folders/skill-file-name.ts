import type { Folder } from '../walk/walk-folders.ts'

/** The name of a folder's skill file, `SKILL.md` before `skill.md`; undefined when it has none. */
export function skillFileName({ entries }: Pick<Folder, 'entries'>): string | undefined {
  const names = entries.map(({ name }) => name)
  return names.includes('SKILL.md') ? 'SKILL.md' : names.find((name) => name === 'skill.md')
}
