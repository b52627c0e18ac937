import { defineTool, ToolError } from 'loadout'
import { z } from 'zod'

/** What time it is somewhere: a tool that is always there, whatever skills are active. */
export const currentTime = defineTool({
  name: 'current_time',
  description: 'Tell the current date, time and weekday in a time zone.',
  category: 'utility',
  idempotent: true,
  topic: 'time',
  phrases: ['what time is it', 'which day is today', 'time in Tokyo'],
  inputSchema: z.object({
    timeZone: z
      .string()
      .max(64)
      .default('UTC')
      .describe('IANA name, such as Europe/Oslo; UTC by default.'),
  }),
  outputSchema: z.object({
    /** ISO 8601, with the offset of the zone. */
    time: z.string(),
    timeZone: z.string(),
    weekday: z.string(),
  }),
  execute: ({ timeZone }) => timeIn(timeZone, new Date()),
})

function timeIn(timeZone: string, now: Date) {
  const parts = new Map(
    formatter(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  const date = `${part('year')}-${part('month')}-${part('day')}`
  const clock = `${part('hour')}:${part('minute')}:${part('second')}`
  // `GMT+05:30`, or `GMT` alone for no offset.
  const offset = part('timeZoneName').slice('GMT'.length) || '+00:00'
  return { time: `${date}T${clock}${offset}`, timeZone, weekday: part('weekday') }
}

function formatter(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
  } catch {
    const message = `${JSON.stringify(timeZone)} is not a time zone. Use an IANA name, such as Europe/Oslo.`
    throw new ToolError('VALIDATION', message, { details: { timeZone } })
  }
}
