import { readdirSync } from 'node:fs'
import type { Catalog } from '../../../entries/index.ts'
import { identityMemo, tryOrUndefined } from '../../../entries/kit.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { TextField } from '../text/text-field.ts'

/** The most names that a folder completes. */
const MOST_FILES = 200

/**
 * Returns the words that complete the one before the cursor of a message: the skills that a person may name at its
 * beginning, as in `/review`, and paths of files, as in `@src/main.ts`.
 */
export function completions({ ui, reader }: PlaygroundContext): readonly string[] {
  const { writing } = ui.getState()
  if (writing === null) return []
  const { catalog } = reader()
  // The same message is drawn many times, and folders are read once for it.
  return found([writing, catalog], '', () => wordsFor(writing, catalog))
}

const found = identityMemo<readonly string[]>()

function wordsFor({ text, cursor }: TextField, { skills }: Catalog): readonly string[] {
  const word = wordBefore(text, cursor)
  if (word.startsWith('/') && word.length === cursor) {
    const named = [...skills.values()].filter((one) => one.userInvocable !== false)
    return named.map(({ name }) => `/${name}`).filter((one) => one.startsWith(word) && one !== word)
  }
  return word.startsWith('@') ? paths(word).filter((one) => one !== word) : []
}

function wordBefore(text: string, cursor: number): string {
  const before = text.slice(0, cursor)
  return before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1)
}

function paths(word: string): readonly string[] {
  const folder = word.slice(1, word.lastIndexOf('/') + 1)
  const entries = tryOrUndefined(() =>
    readdirSync(folder === '' ? '.' : folder, { withFileTypes: true }),
  )
  return (entries ?? [])
    .filter(({ name }) => !/^\.|^node_modules$|\s/u.test(name))
    .map((entry) => `@${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((one) => one.startsWith(word))
    .toSorted()
    .slice(0, MOST_FILES)
}

/**
 * Completes the word before the cursor: as far as all completions agree, or to the first of them. Returns false for a word
 * that names no skill and no file.
 */
export function completeWord(context: PlaygroundContext): boolean {
  const { ui } = context
  const { writing } = ui.getState()
  const words = completions(context)
  const [first] = words
  if (writing === null) return false
  const before = writing.text.slice(0, writing.cursor)
  const word = wordBefore(writing.text, writing.cursor)
  if (first === undefined) return /^[/@]/.test(word)
  const shared = words.reduce(sharedStart, first)
  const to = shared === word ? first : shared
  const end = words.length === 1 && !to.endsWith('/') ? ' ' : ''
  const start = before.slice(0, before.length - word.length) + to + end
  ui.setState({
    writing: { text: start + writing.text.slice(writing.cursor), cursor: start.length },
  })
  return true
}

function sharedStart(a: string, b: string): string {
  let end = 0
  while (end < a.length && a[end] === b[end]) end += 1
  return a.slice(0, end)
}
