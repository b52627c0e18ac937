import { sep } from 'node:path'

/** True when a real path is the folder or lies below it; `skills/a-evil` is not below `skills/a`. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
