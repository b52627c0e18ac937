import type { ToolStatus } from '../../../engine/standing/tool-status.ts'
import { glyphsOf, type Theme } from './theme.ts'

/**
 * Formats a number for people: `12,345`, in every locale. Not with `Intl`, whose formatter takes
 * milliseconds to start while the first frame waits.
 */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ',')
}

/** Returns a number with its noun: `1 skill`, `2 skills`, `2 queries`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`
}

/** The line drawn in place of hidden rows: `▼ 40 more`. */
export function moreText(mark: string, count: number): string {
  return `${mark} ${formatCount(count)} more`
}

/** A change in tokens: `1,204 -> 1,530 tokens (+326)`. */
export function tokenChange(
  { before, after }: { readonly before: number; readonly after: number },
  arrow: string,
): string {
  const change = after - before
  const sign = change > 0 ? '+' : ''
  return `${formatCount(before)} ${arrow} ${formatCount(after)} tokens (${sign}${formatCount(change)})`
}

/** Columns of a bar next to other figures. */
export const BAR_WIDTH = 10

/** A share (0 to 1; more is drawn as 1) as a bar; any share above 0 has at least one mark. */
export function shareBar(share: number, width: number, theme: Theme): string {
  const { bar, barRest } = glyphsOf(theme)
  const bounded = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
  const full = bounded === 0 ? 0 : Math.max(1, Math.round(bounded * width))
  return bar.repeat(Math.min(full, width)) + barRest.repeat(Math.max(0, width - full))
}

/** A share as a percentage: `37%`; `<1%` for a share that rounds to 0. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0) return '0%'
  const hundredths = Math.round((part / whole) * 100)
  return hundredths === 0 && part > 0 ? '<1%' : `${hundredths}%`
}

/** A tool, and how the next request brings it to the model. */
export interface ReachedTool {
  readonly status: ToolStatus
  readonly reach: string
}

/** Writes the status of a tool for the next request: `sent`, `by search`, `not sent`, `inactive`, or why it is refused. */
export function reachWord({ status, reach }: ReachedTool): string {
  if (status === 'available') return reach
  return status === 'skill-inactive' ? 'inactive' : status
}

/** Counts the tools of a list by those words: `7 sent, 60 by search, 2 inactive`. */
export function reachText(tools: readonly ReachedTool[]): string {
  const counts = new Map(['sent', 'by search', 'not sent', 'inactive'].map((word) => [word, 0]))
  for (const tool of tools) {
    const word = tool.reach === 'sent' ? 'sent' : reachWord(tool)
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const some = [...counts].filter(([, count]) => count > 0)
  return some.map(([word, count]) => `${formatCount(count)} ${word}`).join(', ') || 'none'
}
