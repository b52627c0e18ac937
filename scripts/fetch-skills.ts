import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { outsideEnvironment, PROJECT, runCommand } from './run-command.ts'

/**
 * `npm run skills`: fetches the public skills that are not copied into this project, and the Python packages that they
 * need, into `.fetched`. Then it lets a scripted model work with them (tests/workbench/project/skills-at-work).
 *
 * npm run skills -- --from folder-with-clones
 */
interface Origins {
  readonly repositories: readonly { readonly repository: string; readonly commit: string }[]
  readonly packages: readonly string[]
}

const { values } = parseArgs({
  options: {
    /** A folder with clones, named OWNER+NAME; otherwise they are cloned. */
    from: { type: 'string' },
  },
})

const tests = join('tests', 'workbench', 'project', 'skills-at-work')

const { repositories, packages } = JSON.parse(
  readFileSync(join(PROJECT, tests, 'origins.json'), 'utf8'),
) as Origins

const fetched = join(PROJECT, '.fetched')

rmSync(fetched, { recursive: true, force: true })

mkdirSync(join(fetched, 'skills'), { recursive: true })

for (const { repository, commit } of repositories) {
  const name = repository.replace('/', '+')
  const clone = join(fetched, 'skills', name)
  if (values.from === undefined) {
    must('git', ['clone', '--quiet', `https://github.com/${repository}.git`, clone])
  } else {
    const source = join(values.from, name)
    if (!existsSync(source)) throw new Error(`There is no clone in ${source}.`)
    cpSync(source, clone, { recursive: true, verbatimSymlinks: true })
  }
  must('git', ['-C', clone, 'checkout', '--quiet', '--force', commit])
  console.log(`${repository} at ${commit.slice(0, 12)}`)
}

const python = join(fetched, 'python')

must('python3', ['-m', 'venv', python])

must(join(python, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages])

console.log(`${packages.length} Python packages`)

const { passed, output } = runCommand('npx', ['vitest', 'run', tests], {
  cwd: PROJECT,
  env: process.env,
})

console.log(output)

process.exitCode = passed ? 0 : 1

function must(program: string, words: readonly string[]): void {
  const { passed, output } = runCommand(program, words, { cwd: PROJECT, env: outsideEnvironment() })
  if (!passed) throw new Error(`${program} ${words.join(' ')} failed:\n${output}`)
}
