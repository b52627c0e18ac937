/** A word as it is typed in a shell: in single quotes when it holds more than plain characters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Up to the last `@` before the path, since a password may hold one. An address taken for a file has one `/`. */
const CREDENTIALS = /(postgres(?:ql)?:\/{1,2}[^\s:@/]*):[^\s/]*@/gi

const PARAMETER = /([?&](?:password|sslpassword)=)[^\s&"']*/gi

/** Text that may have the address of a server in it, as it may be shown: without its password. */
export function withoutPassword(text: string): string {
  return text.replaceAll(CREDENTIALS, '$1:***@').replaceAll(PARAMETER, '$1***')
}
