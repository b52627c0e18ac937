/** Names of the files that builds write, next to their sources. */
export const MANIFEST_FILE = 'loadout.manifest.json'
export const PROVENANCE_FILE = 'loadout.provenance.json'
