import type { openPlayground } from './open-playground.tsx'
import type { takeFrame } from './snapshot/take-frame.tsx'

/** What is loaded only when a screen is opened: React and Ink cost more than all the rest. */
export interface PlaygroundModules {
  readonly openPlayground: typeof openPlayground
  readonly takeFrame: typeof takeFrame
}

/** How many colours there are: those of the terminal, all of them, or none. */
export type ColourDepth = 'terminal' | 'all' | 'none'

const FORCED = { terminal: undefined, all: '3', none: '0' } as const

/**
 * Load the screen. React and what colours for Ink read the environment once, as they are loaded,
 * so it says then what was settled (`NODE_ENV` is production unless somebody set it), and is as it
 * was before afterwards: handlers and editors inherit it.
 */
export async function loadPlayground(colours: ColourDepth): Promise<PlaygroundModules> {
  const { env } = process
  const before = { NODE_ENV: env['NODE_ENV'], FORCE_COLOR: env['FORCE_COLOR'] }
  const forced = FORCED[colours]
  env['NODE_ENV'] ??= 'production'
  if (forced !== undefined) env['FORCE_COLOR'] = forced
  try {
    const [{ openPlayground }, { takeFrame }] = await Promise.all([
      import('./open-playground.tsx'),
      import('./snapshot/take-frame.tsx'),
    ])
    return { openPlayground, takeFrame }
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete env[name]
      else env[name] = value
    }
  }
}
