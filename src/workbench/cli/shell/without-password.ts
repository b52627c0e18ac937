/**
 * Up to the last `@` before the path, since a password may contain one. A URL that was resolved as a
 * file path has one `/`.
 */
const CREDENTIALS = /(postgres(?:ql)?:\/{1,2}[^\s:@/]*):[^\s/]*@/gi

const PARAMETER = /([?&](?:password|sslpassword)=)[^\s&"']*/gi

/** Removes passwords from a text that may contain the URL of a server. */
export function withoutPassword(text: string): string {
  return text.replaceAll(CREDENTIALS, '$1:***@').replaceAll(PARAMETER, '$1***')
}
