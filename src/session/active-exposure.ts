import type { ExposureStrategy } from './ports.ts'

const NONE: ReadonlySet<string> = new Set()

/** Send just what is available, in the order of the tool table. */
export const activeExposure: ExposureStrategy = {
  name: 'active',
  plan: ({ available, hidden }) => ({
    tools: available.filter(({ name }) => !hidden.has(name)),
    deferred: NONE,
  }),
}
