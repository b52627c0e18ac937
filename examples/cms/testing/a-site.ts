import type { CmsServices } from '../cms-services.ts'
import { openDatabase } from '../database/open-database.ts'
import { seed } from '../database/seed.ts'

/** The seeded site for a test: nothing on the network, and a clock that stands still. */
export function aSite(services: Partial<CmsServices> = {}): CmsServices {
  return {
    database: seed(openDatabase()),
    now: () => '2026-01-05T09:00:00.000Z',
    origins: [],
    ...services,
  }
}
