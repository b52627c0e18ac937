import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { checkedText, checkOptions } from '../../../entries/kit.ts'
import {
  NO_CARNET_CONFIG,
  type CarnetConfig,
} from '../../../connections/carnet/format/read-carnet-config.ts'
import { LOAD_OPTIONS, type LoadOptions } from '../walk/load-options.ts'
import { loadRoots } from './load-skills.ts'
import type { Loaded } from './loaded.ts'

/** A Carnet project that was read, and its configuration. */
export interface LoadedCarnet extends Omit<Loaded, 'carnet'> {
  readonly variables: Readonly<Record<string, string>>
  readonly config: CarnetConfig
}

/**
 * Reads a Carnet project: its folder, with or without `carnet.config.json`, or a
 * `carnet.manifest.json`.
 *
 * Environment variables that its `envPrefix` asks for are not read. Pass `environmentVariables({
 * names: [], prefix: config.envPrefix })` to a session if prompts may contain them. Throws
 * `PATH_NOT_FOUND`.
 */
export async function loadCarnet(path: string, options: LoadOptions = {}): Promise<LoadedCarnet> {
  checkOptions(options, LOAD_OPTIONS)
  const roots = [checkedText(path, 'path')]
  const { carnet, ...loaded } = await loadRoots(roots, { ...options, carnet: true })
  const real = await realpath(resolve(path))
  const found = carnet.find(({ folder }) => folder === real || folder === dirname(real))
  const config = found?.config ?? NO_CARNET_CONFIG
  return { ...loaded, variables: config.variables, config }
}
