import { expect, test } from 'vitest'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'

test('it carries a code, facts and a hint, and keeps its cause', () => {
  const cause = new Error('disk')
  const error = new WorkspaceError('LOG_DAMAGED', 'Entry 7 cannot be read.', {
    facts: { seq: 7 },
    hint: 'The last good entry is 6.',
    cause,
  })
  expect(error).toMatchObject({ code: 'LOG_DAMAGED', facts: { seq: 7 }, cause })
  expect(String(error)).toBe('WorkspaceError: Entry 7 cannot be read.')
  expect(error.hint).toBe('The last good entry is 6.')
})

test('without options it has no cause, no facts and an empty hint', () => {
  const error = new WorkspaceError('SKILL_UNKNOWN', 'No such skill.')
  expect(error).toMatchObject({ facts: {}, hint: '' })
  expect(Object.hasOwn(error, 'cause')).toBe(false)
})

test('errors of another copy of the package are recognised', () => {
  const copy = Object.assign(new Error('x'), { name: 'WorkspaceError', code: 'LOG_DAMAGED' })
  expect(WorkspaceError.is(copy)).toBe(true)
  expect(WorkspaceError.is(new WorkspaceError('X', 'x'))).toBe(true)
  expect(WorkspaceError.is(new Error('x'))).toBe(false)
  expect(WorkspaceError.is({ name: 'WorkspaceError', code: 'X' })).toBe(false)
})
