/** A number with what it counts: `1 skill`, `2 skills`. For words that take an s. */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
