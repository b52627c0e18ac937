import { sep } from 'node:path'

/**
 * Returns true when a real path is the folder or is below it; `skills/a-evil` is not below
 * `skills/a`.
 */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/**
 * Compares paths folder by folder and by code unit, the same on every machine and in every locale.
 */
export function comparePaths(a: string, b: string): number {
  const left = a.split(/[\\/]/)
  const right = b.split(/[\\/]/)
  const shared = Math.min(left.length, right.length)
  for (let index = 0; index < shared; index += 1) {
    const one = left[index] ?? ''
    const other = right[index] ?? ''
    if (one !== other) return one < other ? -1 : 1
  }
  return left.length - right.length
}
