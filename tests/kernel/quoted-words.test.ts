import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotedPath, shellWord } from '../../src/kernel/sanitise-text.ts'

test.runIf(process.platform !== 'win32').each([shellWord, quotedPath])(
  'a shell reads what $name quotes as one word, and runs nothing of it',
  (quote) => {
    const odd = fc.string({ unit: fc.constantFrom(...'a/ \\"\'$`!;&|*?(){}<>#~\n\t') })
    fc.assert(
      fc.property(fc.array(odd, { minLength: 20, maxLength: 20 }), (words) => {
        const line = `printf '%s\\0' ${words.map(quote).join(' ')}`
        const read = execFileSync('sh', ['-c', line], { encoding: 'utf8' })
        expect(read.split('\0').slice(0, -1)).toEqual(words)
      }),
      { numRuns: 40 },
    )
  },
)

test('a usual path is in double quotes, which every shell knows', () => {
  expect(quotedPath('/home/ada/my skills')).toBe('"/home/ada/my skills"')
  expect(quotedPath('C:\\skills')).toBe('"C:\\skills"')
})
