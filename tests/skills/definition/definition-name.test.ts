import { expect, test } from 'vitest'
import { usableName } from '../../../src/skills/definition/definition-name.ts'

test.each([
  ['owls', 'owls'],
  ['Owl Care', 'Owl-Care'],
  ['ｏｗｌｓ', 'owls'],
  ['हिन्दी', 'हिन्दी'],
  ['a/b:c', 'a-b-c'],
  ['owl\u034Fs', 'owl-s'],
  ['owls\u{E0100}\u{E0101}', 'owls'],
  ['owl\u3164s', 'owl-s'],
  ['owl\u200Bs', 'owl-s'],
  ['owls<U+34>', 'owls'],
  ['owls U+34', 'owls-U-34'],
  ['\u3164', undefined],
  ['---', undefined],
  ['../../evil', 'evil'],
  ['a b/.c', 'a-b-c'],
  ['./..', undefined],
])('a skill named %j goes by %j', (given, name) => {
  expect(usableName(given)).toBe(name)
})
