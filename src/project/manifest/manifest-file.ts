/** Names of the files that builds and locks write, beside what they are made of. */
export const MANIFEST_FILE = 'loadout.manifest.json'
export const PROVENANCE_FILE = 'loadout.provenance.json'
export const LOCK_FILE = 'loadout.lock'
