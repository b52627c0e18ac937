import { AI_SDK_DRIVERS } from './ai-sdk-drivers.ts'
import { CLIENT_DRIVERS } from './client-drivers.ts'
import type { WireDriver } from './wire-driver.ts'

/** Every adapter, with models that differ in what they take. */
export const WIRE_DRIVERS: readonly WireDriver[] = [...AI_SDK_DRIVERS, ...CLIENT_DRIVERS]
