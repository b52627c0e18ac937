/** Freeze a value and all it holds; functions stay as they are, and frozen parts are not entered. */
export function freezeData<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freezeData(member)
  return value
}
