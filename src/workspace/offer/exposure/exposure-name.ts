import type { ExposureStrategy } from '../../log/ports.ts'
import { activeExposure } from './active-exposure.ts'
import { appendExposure } from './append-exposure.ts'
import { bridgeExposure } from './bridge-exposure.ts'
import { deferredExposure } from './deferred-exposure.ts'

/** The strategies that come with Loadout, the one nearest to plain calling first. */
export const EXPOSURES = {
  active: activeExposure,
  append: appendExposure,
  deferred: deferredExposure,
  bridge: bridgeExposure,
} as const satisfies Readonly<Record<string, ExposureStrategy>>

export type ExposureName = keyof typeof EXPOSURES
