import { SKIPPED_FOLDERS } from './load-options.ts'

/** Names of devices on Windows, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i

/**
 * Returns why a file or folder should not have this name, as the end of a sentence; null for a name
 * that is safe on every system.
 */
export function unsafeFileName(name: string): string | null {
  if (SKIPPED_FOLDERS.has(name.toLowerCase())) return 'folders of this name are never read'
  if (DEVICE.test(name)) return 'it is the name of a device on Windows'
  if (/^[.-]/.test(name)) return 'it begins with a dot or a hyphen'
  if (name.endsWith('.')) return 'it ends with a dot, which Windows removes'
  return null
}
