import { textHash } from '../../../kernel/content-hash.ts'

/** What a session is found by, and named by to those who follow it: 64 hexadecimal digits. */
export function keyOf(session: string): string {
  return textHash(JSON.stringify(session)).slice('sha256:'.length)
}
