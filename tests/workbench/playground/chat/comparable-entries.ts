import type { Entry } from 'loadout'

const OWN = new Set([
  'id',
  'seq',
  'at',
  'confirmation',
  'question',
  'latencyMs',
  'durationMs',
  'ms',
  'expiresAt',
  'time',
  'approval',
  'seal',
])

const IDS = /\b(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f-]{27})\b/gu

/** An entry without its times and ids. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value === 'string') return value.replaceAll(IDS, 'ID')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OWN.has(key))
      .map(([key, one]) => [key, withoutTimes(one)]),
  )
}

/** Returns entries without times and ids, the warnings of a machine that was slow, and the figures of a provider. */
export function comparableEntries(entries: readonly Entry[]): unknown {
  const isLeftOut = ({ event }: Entry) =>
    event.type === 'step.reported' || (event.type === 'warning.given' && event.code === 'call-slow')
  return withoutTimes(entries.filter((entry) => !isLeftOut(entry)))
}
