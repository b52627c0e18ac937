import { checkKind } from '../../../entries/kit.ts'

/** Returns a list of paths: one path as text is a list of one. Throws `OPTIONS_INVALID` for anything else. */
export function givenPaths(paths: string | readonly string[]): readonly string[] {
  const list = typeof paths === 'string' ? [paths] : paths
  checkKind(list, 'paths', 'texts')
  return list
}
