/** A body as it is kept: without empty lines before it and without space after it. */
export function withoutBlankEdges(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
}
