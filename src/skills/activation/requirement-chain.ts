/** Names a sentence lists before it leaves some out. */
const LONGEST = 8

/** `"a" requires "b", which requires "c"`; the middle of a long chain is left out, and counted. */
export function requirementChain(chain: readonly string[]): string {
  const names = chain.map((name) => `"${name}"`)
  const omitted = names.length - LONGEST
  const shown =
    omitted <= 0
      ? names
      : [...names.slice(0, LONGEST / 2), `(${omitted} more)`, ...names.slice(-LONGEST / 2)]
  return shown.reduce(
    (text, name, index) => `${text}${index === 1 ? ' requires ' : ', which requires '}${name}`,
  )
}
