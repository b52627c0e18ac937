import { join, relative } from 'node:path'
import type { ClientFolders } from './client-folders.ts'
import type { Fitted, ListEntry, ListFor } from './client-profile.ts'

/** The part of the window that the list may have, in tokens of four bytes. */
const PART_OF_WINDOW = 0.02

const BYTES_PER_TOKEN = 4

/**
 * Every description is cut to about the same length: each gets one character after the other, until the tokens are used. If
 * even the names are too long, the entries that do not fit are left out.
 */
export async function fitCodexList(
  entries: readonly ListEntry[],
  { window }: ListFor,
  { home }: ClientFolders,
): Promise<Fitted> {
  const roots = entries.flatMap(({ file }) => (file === undefined ? [] : [file.place]))
  // The folder of the built-in skills does not count.
  const table = [...new Set([join(home, '.codex', 'skills', '.system'), ...roots])]
  const heading = table
    .slice(1)
    .reduce((sum, root, at) => sum + Buffer.byteLength(`- \`r${at + 1}\` = \`${root}\`\n`), HEADING)
  const whole = Math.max(1, Math.floor(window * PART_OF_WINDOW))
  const limit = whole - tokens(heading)
  const lines = entries.map((entry) => lineSizes(entry, table))
  const needed = lines.reduce((sum, { bare, text }) => sum + bare + (text.at(-1) ?? 0), 0)
  const sizes = lines.map(({ bare, text }) => (bare + (text.at(-1) ?? 0)) * BYTES_PER_TOKEN)
  const budget = { limit: whole * BYTES_PER_TOKEN, unit: 'bytes', sizes } as const
  if (needed <= limit) return { ...budget, shown: lines.map(({ text }) => text.length) }
  return { ...budget, shown: cutLines(lines, limit), setting: SETTING }
}

/** Bytes that the table of folders needs in addition to its lines. */
const HEADING = 7

const SETTING =
  '[[skills.config]] with a name and enabled = false in ~/.codex/config.toml makes room'

/** The tokens of a line without its description, and those that its first characters add. */
interface LineSizes {
  readonly bare: number
  readonly text: readonly number[]
}

function lineSizes(
  { name, description, length, file }: ListEntry,
  table: readonly string[],
): LineSizes {
  const place = file?.place ?? table[0] ?? ''
  const path = file === undefined ? `${name}/SKILL.md` : relative(place, file.real)
  let bytes = Buffer.byteLength(`- ${name}: (file: r${table.indexOf(place)}/${path})\n`)
  const bare = tokens(bytes)
  bytes += 1
  const text = Array.from(description ?? 'x'.repeat(length), (one) => {
    bytes += Buffer.byteLength(one)
    return tokens(bytes) - bare
  })
  return { bare, text }
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

function cutLines(lines: readonly LineSizes[], limit: number): readonly (number | null)[] {
  let left = limit - lines.reduce((sum, { bare }) => sum + bare, 0)
  if (left < 0) {
    left = limit
    return lines.map(({ bare }) => {
      if (bare > left) return null
      left -= bare
      return 0
    })
  }
  const shown = lines.map(() => 0)
  for (let grows = true; grows;) {
    grows = false
    for (const [at, { text }] of lines.entries()) {
      const [before, after] = [text[(shown[at] ?? 0) - 1] ?? 0, text[shown[at] ?? 0]]
      if (after === undefined || after - before > left) continue
      left -= after - before
      shown[at] = (shown[at] ?? 0) + 1
      grows = true
    }
  }
  return shown
}
