import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CARNET_CONFIG, CARNET_MANIFEST } from './carnet-names.ts'

/** The folder of a Carnet project inside the project that uses it, by Carnet's default. */
export const CARNET_FOLDER = 'carnet'

/** A project's folder, and the `carnet` folder in it, as far as each is a Carnet project. */
export async function carnetPlaces(project: string): Promise<readonly string[]> {
  const places = await Promise.all(
    [project, join(project, CARNET_FOLDER)].map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => [])
      return names.includes(CARNET_CONFIG) || names.includes(CARNET_MANIFEST) ? [folder] : []
    }),
  )
  return places.flat()
}
