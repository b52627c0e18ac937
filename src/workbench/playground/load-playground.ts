import type { openPlayground } from './open-playground.tsx'
import type { openPicker } from './open-picker.tsx'
import type { takeFrame } from './snapshot/take-frame.tsx'

const FORCED = { terminal: undefined, all: '3', none: '0' } as const

/**
 * Loads the ways to draw a screen, in the colours of the terminal, in all, or in none. Only what the first frame needs
 * is loaded with them.
 *
 * React and Ink's colour library read the environment once, while they are loaded,
 * so `NODE_ENV` (production unless it is set) and `FORCE_COLOR` are set meanwhile. Afterwards they are
 * restored, because handlers and editors inherit the environment.
 */
export async function loadPlayground(colours: keyof typeof FORCED): Promise<{
  readonly openPlayground: typeof openPlayground
  readonly openPicker: typeof openPicker
  readonly takeFrame: typeof takeFrame
}> {
  const { env } = process
  const before = { NODE_ENV: env['NODE_ENV'], FORCE_COLOR: env['FORCE_COLOR'] }
  const forced = FORCED[colours]
  env['NODE_ENV'] ??= 'production'
  if (forced !== undefined) env['FORCE_COLOR'] = forced
  try {
    const { openPlayground } = await import('./open-playground.tsx')
    return {
      openPlayground,
      openPicker: async (request) => (await import('./open-picker.tsx')).openPicker(request),
      takeFrame: async (request) => (await import('./snapshot/take-frame.tsx')).takeFrame(request),
    }
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete env[name]
      else env[name] = value
    }
  }
}
