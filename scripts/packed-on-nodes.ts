import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  installTarball,
  NEEDED_PEERS,
  packProject,
  readManifest,
  tryPackage,
} from './try-package.ts'

/** Uses the packed package on the oldest Node that it supports and on each release line since. */
const VERSIONS = ['22.18.0', '22', '24', '26']

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-nodes-'))

const manifest = readManifest()

const user = installTarball(packProject(folder.path).tarball, NEEDED_PEERS)

for (const version of VERSIONS) {
  const { node, done, problems } = tryPackage(user, manifest, [
    'npx',
    '--yes',
    '--package',
    `node@${version}`,
    '--',
    'node',
  ])
  console.log(`node@${version} is ${node}: ${done.length} uses, ${problems.length} problems`)
  for (const problem of problems) console.error(problem)
  const ranElsewhere = !node.startsWith(`v${version.split('.')[0]}.`)
  if (ranElsewhere || done.length === 0 || problems.length > 0) process.exitCode = 1
}
