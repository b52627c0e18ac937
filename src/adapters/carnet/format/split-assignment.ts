/** `KEY=value` at its first `=`: `URL=a=b` is the value `a=b`. Without any, the value is empty. */
export function splitAssignment(text: string): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=')
  return at < 0
    ? { key: text.trim(), value: '' }
    : { key: text.slice(0, at).trim(), value: text.slice(at + 1) }
}
