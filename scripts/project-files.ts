import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The files of a project, committed or not, without what git ignores. */
export function projectFiles(root: string): readonly string[] {
  const listed = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (listed.status !== 0) throw new Error(`git cannot list the files of ${root}: ${listed.stderr}`)
  return listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}
