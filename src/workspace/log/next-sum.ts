import { hash } from 'node:crypto'

/**
 * The checksum of a text and all before it, in 16 hexadecimal digits. A database may have none for
 * what is in its pages, and a flipped bit may leave a page that it takes for whole.
 */
export function nextSum(before: string, text: string): string {
  return hash('sha256', `${before}\n${text}`).slice(0, 16)
}
