import { formatCount } from './format-count.ts'

/** A change in tokens: `1,204 -> 1,530 tokens (+326)`. */
export function tokenChange(
  { before, after }: { readonly before: number; readonly after: number },
  arrow: string,
): string {
  const change = after - before
  const sign = change > 0 ? '+' : ''
  return `${formatCount(before)} ${arrow} ${formatCount(after)} tokens (${sign}${formatCount(change)})`
}
