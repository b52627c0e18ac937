export const CARNET_CONFIG = 'carnet.config.json'
export const CARNET_MANIFEST = 'carnet.manifest.json'

/** The folders of a Carnet project that hold definitions; nothing else in it is looked into. */
export const CARNET_FOLDERS: ReadonlySet<string> = new Set([
  'agents',
  'skills',
  'toolsets',
  'tools',
  'rules',
])
