/** Texts that would control a terminal if they were printed unchanged. */
export const HOSTILE_TEXTS: readonly string[] = [
  '\u001B[2J\u001B[H\u001B[31mred',
  '\u001B]0;title\u0007\u001B]52;c;cm0=\u0007',
  '\u001B]8;;https://example.org\u001B\\link\u001B]8;;\u001B\\',
  '\u009B31mC1\u009D0;t\u009C',
  'user\u202Etxt.exe\u2066\u2069',
  'line\r\nbreak\rback\u0008\u007F',
  'tab\there\u000B\u000C',
  'zero\u200Bwidth\u{E0041}\u{E0042}\uFEFF',
  '\uD800 lone \uDC00',
]

/** Anything but printable characters, line feeds and the colours that components set. */
export function foreignBytes(screen: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- reads what a terminal is sent
  const plain = screen.replaceAll(/\u001B\[[0-9;]*m/g, '')
  return (
    plain
      .match(/[\p{Cc}\p{Cs}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu)
      ?.filter((found) => found !== '\n') ?? []
  )
}
