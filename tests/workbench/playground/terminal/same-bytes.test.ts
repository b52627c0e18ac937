import { mkdtempDisposable } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'
import { expect, onTestFinished, test, vi } from 'vitest'
import { shippedInk } from '../../../../scripts/bundle/shipped-ink.ts'
import { PROJECT } from '../../../../scripts/run-command.ts'

test('the screens of some 50 keys are the same bytes with plain Ink and with the published one', async () => {
  vi.stubEnv('FORCE_COLOR', '3')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0) })
  onTestFinished(() => void vi.useRealTimers())
  const plain = await writtenWith([])
  const shipped = await writtenWith([shippedInk()])
  expect(plain.join('').length).toBeGreaterThan(100_000)
  expect(shipped).toEqual(plain)
})

/** Builds the screens with the Ink of these plugins, and draws them. */
async function writtenWith(plugins: ReturnType<typeof shippedInk>[]): Promise<readonly string[]> {
  // The test runner, which stays outside, is found from here.
  await using folder = await mkdtempDisposable(join(PROJECT, 'node_modules', '.screens-'))
  await build({
    input: join(import.meta.dirname, 'written-screens.ts'),
    external: ['react-devtools-core', 'vitest'],
    platform: 'node',
    plugins,
    resolve: { alias: { loadout: join(PROJECT, 'src/entries/index.ts') } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    output: { dir: folder.path, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  })
  const { writeScreens } = await import(join(folder.path, 'written-screens.mjs'))
  return writeScreens()
}
