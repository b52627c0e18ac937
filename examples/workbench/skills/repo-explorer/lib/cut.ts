/** A text of at most `most` characters; what was cut is said in its last ones. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const high = text.charCodeAt(most - 1)
  const end = high >= 0xd800 && high < 0xdc00 ? most - 1 : most
  return `${text.slice(0, end)}… (${text.length - end} characters more)`
}
