/** Names of the files that builds and locks write, next to their sources. */
export const MANIFEST_FILE = 'loadout.manifest.json'
export const PROVENANCE_FILE = 'loadout.provenance.json'
export const LOCK_FILE = 'loadout.lock'
