import { glyphsOf } from './glyphs.ts'
import type { Theme } from './theme.ts'

/** A share of a whole (0 to 1, more is shown as 1) as a bar; any share above 0 shows one mark. */
export function shareBar(share: number, width: number, theme: Theme): string {
  const { bar, barRest } = glyphsOf(theme)
  const bounded = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0))
  const full = bounded === 0 ? 0 : Math.max(1, Math.round(bounded * width))
  return bar.repeat(Math.min(full, width)) + barRest.repeat(Math.max(0, width - full))
}

/** A share in whole hundredths: `37%`; `<1%` for a share that rounds to nothing. */
export function shareText(part: number, whole: number): string {
  if (whole <= 0) return '0%'
  const hundredths = Math.round((part / whole) * 100)
  return hundredths === 0 && part > 0 ? '<1%' : `${hundredths}%`
}
