import type { Place } from './findings.ts'

/** A key that an object of a JSON text gives a second time. */
interface RepeatedKey {
  readonly key: string
  readonly place: Place
  readonly firstLine: number
}

interface JsonKeys {
  /** Where the keys of the outermost object stand. */
  readonly places: ReadonlyMap<string, Place>
  /** Keys given twice, at any depth: `JSON.parse` takes the last one without a word. */
  readonly repeated: readonly RepeatedKey[]
}

/**
 * What matters between other things: a line's end, a text, and what opens, closes or follows a key.
 * The quote that ends a text may be missing, as in no JSON, so that nothing is gone through again.
 */
const TOKEN = /\n|"(?:[^"\\]+|\\.)*"?|[{}[\]:]/g

/** Look at the keys of a text that `JSON.parse` has taken. Does not recurse, however deep it goes. */
export function jsonKeys(text: string): JsonKeys {
  const repeated: RepeatedKey[] = []
  const open: Map<string, Place>[] = []
  let places = new Map<string, Place>()
  let line = 1
  let lineStart = 0
  let last = { text: '""', place: { line, column: 1 } }
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n') {
      line += 1
      lineStart = index + 1
    } else if (token === '{' || token === '[') {
      open.push(new Map())
    } else if (token === '}' || token === ']') {
      places = open.pop() ?? places
    } else if (token === ':') {
      const key = JSON.parse(last.text) as string
      const first = open.at(-1)?.get(key)
      if (first) repeated.push({ key, place: last.place, firstLine: first.line })
      else open.at(-1)?.set(key, last.place)
    } else {
      last = { text: token, place: { line, column: index - lineStart + 1 } }
    }
  }
  return { places, repeated }
}
