/** A table's or column's name as SQL has it, whatever characters are in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
