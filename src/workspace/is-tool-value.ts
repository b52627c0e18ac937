/** Whether what was given for a tool can be one: plain JavaScript passes on what a model said. */
export function isToolValue(given: unknown): boolean {
  return (
    typeof given === 'object' && given !== null && 'name' in given && typeof given.name === 'string'
  )
}
