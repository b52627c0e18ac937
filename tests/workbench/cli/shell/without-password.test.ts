import { expect, test } from 'vitest'
import { withoutPassword } from '../../../../src/workbench/cli/shell/without-password.ts'

test.each([
  ['postgres://ada:s3cret@host:5432/chats', 'postgres://ada:***@host:5432/chats'],
  ['"PostgreSQL://ada:p@ss:w@host/db@12" is', '"PostgreSQL://ada:***@host/db@12" is'],
  ['postgres://:s3cret@host/db', 'postgres://:***@host/db'],
  [
    'postgres://host/db?user=ada&password=s3cret&ssl=1',
    'postgres://host/db?user=ada&password=***&ssl=1',
  ],
  ['postgres://ada@host:5432/chats', 'postgres://ada@host:5432/chats'],
  ['/home/postgres:/ada:s3cret@host/db', '/home/postgres:/ada:***@host/db'],
  ['no address at all: a@b', 'no address at all: a@b'],
])('%s is shown as %s', (typed, shown) => {
  expect(withoutPassword(typed)).toBe(shown)
})
