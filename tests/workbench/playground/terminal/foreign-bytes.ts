/** The sequences of Ink and of the terminal modes: colours, cursor, erasing, and named modes. */
const OWN = [
  String.raw`\[[\d;]*m`,
  String.raw`\[(?:\d*[A-G]|\d+;\d+H|H|[02]?K|J)`,
  String.raw`\[\?(?:7|25|1000|1006|1049|2004|2026)[hl]`,
].map((sequence) => new RegExp(`\u001B${sequence}`, 'g'))

/** Any control character but a line's end, and the marks that change the order of letters. */
const FOREIGN = /[[\p{Cc}\p{Bidi_Control}\u200B\u2028\u2029]--[\n]]/gv

/** Every byte written to a terminal that is neither text nor a sequence of our own. */
export function foreignBytes(written: string): readonly string[] {
  const text = OWN.reduce((rest, own) => rest.replaceAll(own, ''), written)
  return text.match(FOREIGN) ?? []
}
