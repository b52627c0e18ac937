import type { ExposureStrategy } from './ports.ts'

/** Send just what is available, in the order of the tool table. */
export const activeExposure: ExposureStrategy = {
  name: 'active',
  plan: ({ available }) => Promise.resolve(available),
}
