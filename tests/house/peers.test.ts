import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { packageName, resolveImport } from '../../scripts/rooms/room-of.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'
import { PROJECT, runCommand } from '../../scripts/run-command.ts'

const TELEMETRY = '@opentelemetry/api'

const entries = globSync('src/entries/*.ts', { cwd: PROJECT }).map((path) => basename(path, '.ts'))

/** Runs a module in a process that refuses to load some packages. */
function runWithout(refused: readonly string[], code: string) {
  const hook = `
    import { registerHooks } from 'node:module'
    const refused = ${JSON.stringify(refused)}
    registerHooks({
      resolve(specifier, context, next) {
        const isRefused = refused.some((name) => specifier === name || specifier.startsWith(name + '/'))
        if (isRefused) throw new Error('not installed: ' + specifier)
        return next(specifier, context)
      },
    })`
  const url = `data:text/javascript,${encodeURIComponent(hook)}`
  const args = ['--import', url, '--input-type=module', '--eval', code]
  return runCommand(process.execPath, args, { cwd: PROJECT })
}

const importOf = (entry: string) => `await import(${JSON.stringify(`./src/entries/${entry}.ts`)})`

test('only loadout/otel loads OpenTelemetry', () => {
  // Node runs no TSX: the entry for Ink is in the next test.
  const others = entries.filter((entry) => !['otel', 'ink'].includes(entry))
  const { passed, output } = runWithout([TELEMETRY], others.map(importOf).join('\n'))
  expect([passed, output]).toEqual([true, ''])
  expect(others.length).toBeGreaterThan(8)
  expect(runWithout([TELEMETRY], importOf('otel')).output).toContain('not installed')
})

test.each([
  { entry: 'openai', client: 'openai' },
  { entry: 'anthropic', client: '@anthropic-ai/sdk' },
])('loadout/$entry loads nothing of $client', ({ entry, client }) => {
  const { passed, output } = runWithout([client], importOf(entry))
  expect([passed, output]).toEqual([true, ''])
})

test('no file outside of the adapter names OpenTelemetry, not even for its types', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT })
  const naming = files.filter((path) =>
    readModule(path, readFileSync(join(PROJECT, path), 'utf8')).imports.some(
      ({ specifier }) =>
        resolveImport(path, specifier) === undefined &&
        packageName(specifier).startsWith('@opentelemetry/'),
    ),
  )
  expect(naming.length).toBeGreaterThan(1)
  expect(naming.filter((path) => !path.startsWith('src/adapters/otel/'))).toEqual([])
})

test('a program without any optional peer opens a session, calls a tool and begins a step', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  const { passed, output } = runWithout(
    Object.keys(manifest.peerDependencies),
    `
    const { createCatalog, defineTool, VirtualWorkspace } = ${importOf('index')}
    const one = defineTool({ name: 'one', description: 'Counts.', execute: () => 1 })
    const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [one] }) })
    const { ok } = await workspace.callTool('one', {})
    const { tools } = await workspace.beginStep()
    await workspace.close()
    console.log(ok, tools.length > 0)`,
  )
  expect([passed, output.trim()]).toEqual([true, 'true true'])
})
