import type { Carnet } from '../../src/entries/carnet.ts'

/** Returns the meta-tools of an agent. Carnet's tests call this private function of it, which `getTools` calls first. */
export function createCarnetTools(
  carnet: Carnet,
  agent: string,
): ReturnType<typeof carnet.getTools> {
  return carnet.getTools(agent)
}
