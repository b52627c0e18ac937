import { formatCount } from './format-count.ts'

/** What stands where rows are hidden: `▼ 40 more`. */
export function moreText(mark: string, count: number): string {
  return `${mark} ${formatCount(count)} more`
}
