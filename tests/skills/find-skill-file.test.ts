import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContentHash } from '../../src/kernel/content-hash.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import { findSkillFile } from '../../src/skills/find-skill-file.ts'

const skill = defineSkill({
  name: 'pdf',
  description: 'x',
  baseDirectory: '/home/ada/skills/pdf',
  files: [
    'forms.md',
    'reference.md',
    'scripts/check.py',
    'scripts/fill.py',
    'scripts/fill.sh',
    'a/readme.md',
    'b/README.md',
    'b/readme.md',
  ].map((path) => ({ path, text: path })),
})

test.each([
  ['forms.md', 'forms.md'],
  ['FORMS.md', 'forms.md'],
  ['./forms.md', 'forms.md'],
  ['/home/ada/skills/pdf/forms.md', 'forms.md'],
  ['.claude/skills/pdf/REFERENCE.md', 'reference.md'],
  ['pdf/reference.md', 'reference.md'],
  ['scripts\\check.py', 'scripts/check.py'],
  ['scripts/check', 'scripts/check.py'],
  ['check.py', 'scripts/check.py'],
  ['check', 'scripts/check.py'],
  ['scripts/fill', undefined],
  ['readme.md', undefined],
  ['b/readme.md', 'b/readme.md'],
  ['b/Readme.md', undefined],
  ['../pdf/forms.md', 'forms.md'],
  ['../forms.md', undefined],
  ['', undefined],
  ['/', undefined],
  ['pdf/', undefined],
])('the path %j means %j', (path, file) => {
  expect(findSkillFile(skill, path)?.path).toBe(file)
})

test('an exact path is always that file, and every result is a listed file', () => {
  const part = fc.constantFrom('a', 'A', '.', '..', 'pdf', 'x.md', 'X.md', 'x', '')
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const paths = fc.uniqueArray(path, { maxLength: 6 })
  fc.assert(
    fc.property(paths, path, (listed, given) => {
      const files = listed.map((one) => ({ path: one, size: 0, hash: 'sha256:x' as ContentHash }))
      for (const one of files) expect(findSkillFile({ name: 'pdf', files }, one.path)).toBe(one)
      const found = findSkillFile({ name: 'pdf', files }, given)
      expect(found === null || files.includes(found)).toBe(true)
    }),
  )
})
