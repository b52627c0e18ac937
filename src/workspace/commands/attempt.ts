/** What `read` gives, or undefined when it throws: for values that may fight being looked at. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
