import { join } from 'node:path'
import { outsideEnvironment, runCommand } from './run-command.ts'
import { importableNames, type PackageManifest } from './manifest.ts'

/** What came of using an installed package. */
export interface Trial {
  /** Such as `v24.21.0`. */
  readonly node: string
  /** One line per thing tried. */
  readonly done: readonly string[]
  readonly problems: readonly string[]
}

/**
 * Import every subpath of the installed package and run its command.
 *
 * @param user the project it is installed in
 * @param node how to start Node: a program and its first arguments
 */
export function tryPackage(
  user: string,
  manifest: PackageManifest,
  [program, ...before]: readonly [string, ...string[]],
): Trial {
  const run = (...args: readonly string[]) =>
    runCommand(program, [...before, ...args], { cwd: user, env: outsideEnvironment() })
  const command = join(user, 'node_modules', manifest.name, manifest.bin['loadout'] ?? '')
  const attempts = [
    ...importableNames(manifest).map((name) => ({
      what: `import '${name}'`,
      ended: run('--input-type=module', '--eval', namesOf(name)),
      expected: (output: string) => /^[1-9]\d* names$/m.test(output),
    })),
    {
      what: 'loadout --version',
      ended: run(command, '--version'),
      expected: (output: string) => output.trim() === manifest.version,
    },
    {
      what: 'loadout --help',
      ended: run(command, '--help'),
      expected: (output: string) => /usage/i.test(output),
    },
  ].map(({ what, ended, expected }) => ({
    what,
    output: ended.output.trim(),
    good: ended.passed && expected(ended.stdout),
  }))
  return {
    node: run('--version').stdout.trim(),
    done: attempts.filter(({ good }) => good).map(({ what }) => what),
    problems: attempts
      .filter(({ good }) => !good)
      .map(({ what, output }) => `${what} did not work:\n${output}`),
  }
}

function namesOf(name: string): string {
  return `console.log(Object.keys(await import('${name}')).length + ' names')`
}
