import { openDatabase } from './database/open-database.ts'
import { seed } from './database/seed.ts'
import type { CmsServices } from './cms-services.ts'

/**
 * A seeded site in memory, and the services that the environment names: `CMS_RESEARCH_URL` with
 * `CMS_RESEARCH_KEY`, `PEXELS_API_KEY`, and `CMS_HTTP_ORIGINS`, separated by commas. Without them
 * the tools are there, and say that they are not set up.
 */
export function servicesFromEnvironment(environment: NodeJS.ProcessEnv): CmsServices {
  const research = environment['CMS_RESEARCH_URL']
  const researchKey = environment['CMS_RESEARCH_KEY']
  const pexelsKey = environment['PEXELS_API_KEY']
  const origins = (environment['CMS_HTTP_ORIGINS'] ?? '').split(',')
  return {
    database: seed(openDatabase()),
    now: () => new Date().toISOString(),
    origins: origins.map((origin) => origin.trim()).filter((origin) => origin !== ''),
    ...(research !== undefined && {
      research: {
        baseUrl: research,
        ...(researchKey !== undefined && { key: `Bearer ${researchKey}` }),
      },
    }),
    ...(pexelsKey !== undefined && {
      pexels: {
        baseUrl: environment['PEXELS_URL'] ?? 'https://api.pexels.com',
        key: pexelsKey,
        photos: ['https://images.pexels.com'],
      },
    }),
  }
}
