import type { Step } from './step.ts'

/** Every check of the project, cheapest first. */
export const STEPS: readonly Step[] = [
  {
    name: 'format',
    command: 'node',
    args: ['scripts/check-format.ts'],
    looked: /(\d+) files, \d+ to format/,
  },
  {
    name: 'lint',
    command: 'oxlint',
    args: [],
    looked: /(\d+) files with \d+ rules/,
  },
  {
    name: 'rooms',
    command: 'node',
    args: ['scripts/check-rooms.ts'],
    looked: /(\d+) source files.*/,
  },
  {
    name: 'types',
    command: 'node',
    args: ['scripts/check-types.ts'],
    looked: /(\d+) files.*/,
  },
  {
    name: 'unused',
    command: 'knip',
    args: ['--no-progress', '--reporter', 'symbols', '--reporter', './scripts/knip-count.ts'],
    looked: /(\d+) files, \d+ issues/,
  },
  {
    name: 'tests',
    command: 'npm',
    args: ['test', '--silent'],
    looked: /(?<=Tests .*)(\d+) passed.*/,
  },
  {
    name: 'package',
    command: 'node',
    args: ['scripts/check-package.ts'],
    looked: /(\d+) files in the tarball.*/,
  },
]
