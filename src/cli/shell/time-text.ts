/** A wall clock as people read it, in UTC: `2026-11-21 06:51:03Z`; a question mark for none. */
export function timeText(milliseconds: number): string {
  return (
    isoTime(milliseconds)
      ?.replace('T', ' ')
      .replace(/\.\d+Z$/, 'Z') ?? '?'
  )
}

/** The same for programs; null for what is no time, as in a damaged row. */
export function isoTime(milliseconds: number): string | null {
  const date = new Date(milliseconds)
  return milliseconds === 0 || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
