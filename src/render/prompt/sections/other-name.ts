import { sanitiseLine } from '../../../kernel/sanitise-line.ts'

/** The display name of a skill where it says more than the id does, else `''`. */
export function otherName(name: string, displayName: string): string {
  const called = sanitiseLine(displayName)
  return letters(called) === letters(name) ? '' : called
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.\-]/gv, '')
}
