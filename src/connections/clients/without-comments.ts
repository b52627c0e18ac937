/** Removes comments and trailing commas from JSON, which VS Code and OpenCode allow. */
export function withoutComments(text: string): string {
  const plain = text.replace(
    /("(?:[^"\\]|\\.)*(?:"|$))|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/gsu,
    (_, quoted?: string) => quoted ?? ' ',
  )
  return plain.replace(
    /("(?:[^"\\]|\\.)*(?:"|$))|,(?=\s*[}\]])/gsu,
    (_, quoted?: string) => quoted ?? '',
  )
}
