/**
 * Whether to colour: `NO_COLOR` says no whatever else is said, `FORCE_COLOR` yes (but for `0`
 * and `false`), else only a terminal that is not `dumb` gets colours.
 */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM: terminal } = env
  if (no !== '') return false
  if (force !== undefined) return force !== '0' && force !== 'false'
  return isTerminal && terminal !== 'dumb'
}
