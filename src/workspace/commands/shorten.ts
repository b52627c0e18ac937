const LIMIT = 2000

/** Text of a handler as an envelope carries it: at most 2,000 characters, never half a surrogate pair. */
export function shorten(text: string): string {
  return text.length <= LIMIT ? text : `${text.slice(0, LIMIT).toWellFormed()}…`
}
