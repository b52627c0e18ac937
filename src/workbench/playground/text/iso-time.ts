/** Formats a wall-clock time for programs; null for an invalid time, as in a damaged row. */
export function isoTime(milliseconds: number): string | null {
  const date = new Date(milliseconds)
  return milliseconds === 0 || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
