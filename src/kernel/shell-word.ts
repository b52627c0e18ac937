/** Quotes a word for a shell: in single quotes when it has other than plain characters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Quotes a path for a command in a hint: in double quotes, which every shell knows, unless a shell would change it. */
export function quotedPath(path: string): string {
  return /["$`!]|\\(?:\\|\n|$)/.test(path) ? shellWord(path) : `"${path}"`
}
