/** A file cut at its `---` fences, or why it could not be. */
type FrontMatterSplit =
  | {
      readonly ok: true
      /** The YAML between the fences, with `\n` ends of line. */
      readonly yaml: string
      /** The line of the file that the YAML starts on. */
      readonly yamlLine: number
      /** What follows the closing fence, as it was written. */
      readonly body: string
    }
  | { readonly ok: false; readonly reason: 'missing' | 'unclosed' }
  | { readonly ok: false; readonly reason: 'engine'; readonly engine: string }

/**
 * Cut a file into front matter and body.
 *
 * The fence is a line of exactly `---`, the first of the file. Whatever follows the dashes on that
 * line (`---js`) names another language, which is refused and never run. A byte order mark is
 * dropped; lines may end in LF, CRLF or CR.
 */
export function splitFrontMatter(file: string): FrontMatterSplit {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file
  const first = lineAt(text, 0)
  if (!first.text.startsWith('---')) return { ok: false, reason: 'missing' }
  if (!isFence(first.text)) {
    return { ok: false, reason: 'engine', engine: first.text.slice(3).trim().slice(0, 40) }
  }
  const yaml: string[] = []
  for (let at = first.next; at < text.length;) {
    const line = lineAt(text, at)
    if (isFence(line.text)) {
      return {
        ok: true,
        yaml: yaml.map((one) => `${one}\n`).join(''),
        yamlLine: 2,
        body: text.slice(line.next),
      }
    }
    yaml.push(line.text)
    at = line.next
  }
  return { ok: false, reason: 'unclosed' }
}

function isFence(line: string): boolean {
  return line.startsWith('---') && line.slice(3).trim() === ''
}

function lineAt(text: string, start: number): { readonly text: string; readonly next: number } {
  let end = start
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1
  const width = text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1
  return { text: text.slice(start, end), next: end + width }
}
