import { join } from 'node:path'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { CARNET_CONFIG } from '../../adapters/carnet/format/carnet-names.ts'
import type { CarnetFolder } from '../folders/loaded.ts'
import type { ProjectConfig } from './project-config.ts'

interface CarnetSettings {
  readonly config: ProjectConfig
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * A project's configuration with what its Carnet projects say: its own variables win. Prompts may
 * hold environment variables by `envPrefix` only when `trusted` says so of the folder, as with any
 * other configuration.
 */
export async function carnetSettings(
  config: ProjectConfig,
  folders: readonly CarnetFolder[],
  trusted: (folder: string) => Promise<boolean>,
): Promise<CarnetSettings> {
  const prefixes: string[] = []
  const diagnostics: Diagnostic[] = []
  for (const { folder, config: carnet } of folders) {
    if (carnet.envPrefix.length === 0) continue
    if (await trusted(folder)) prefixes.push(...carnet.envPrefix.filter((one) => one !== ''))
    else {
      diagnostics.push({
        code: 'environment-untrusted',
        severity: 'warning',
        message: 'The configuration asks for environment variables and its folder is not trusted.',
        hint: 'Trust the folder (loadout trust, or --trust) if prompts may hold them.',
        file: join(folder, CARNET_CONFIG),
      })
    }
  }
  const { prefix = [], ...environment } = config.environment
  const all = [...(typeof prefix === 'string' ? [prefix] : prefix), ...prefixes]
  const variables = folders.map(({ config: carnet }) => carnet.variables)
  return {
    config: {
      ...config,
      variables: Object.fromEntries(
        [...variables, config.variables].flatMap((scope) => Object.entries(scope)),
      ),
      environment: { ...environment, ...(all.length > 0 && { prefix: all }) },
    },
    diagnostics,
  }
}
